// Small models of each family that is read, whose logits an independent script computed in f64 (make_published.py).
#include "examples/published/all.h"
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/nn/text_data.h"
#include "tests/tensor/error_case.h"
#include "tests/tensor/folder.h"

#include <filesystem>

namespace regard::nn {

namespace {

const std::filesystem::path published = reference_data / "published";

struct Said {
  Tensor text, logits;  // (1, L), (1, L, V)
};
Said said_by(const std::string& name) {
  const Json file = load_json("published/logits.json");
  std::vector<double> numbers;
  const auto& rows = list_in(*file.find(name));
  for (const Json& row : rows)
    for (const Json& number : list_in(row)) numbers.push_back(*number.get_if<double>());
  const Tensor all = tensor(numbers, {1, std::ssize(rows), std::ssize(numbers) / std::ssize(rows)}, DType::f64);
  return {unsqueeze(token_tensor(tokens_in(*file.find("text"))), 0), all};
}

}  // namespace

TEST_CASE("published families: the logits are those of the formulas") {
  const NoGrad no_grad;
  for (const std::string name : {"llama2", "llama3", "qwen2", "qwen3", "gemma3", "gpt_oss"}) {
    CAPTURE(name);
    const auto [text, logits] = said_by(name);
    const LlamaCheckpoint checkpoint = load_hugging_face(published / name);
    for (const Method method : {Method::fused, Method::composed}) {
      Llama model = llama_from(checkpoint, {.dtype = DType::f64, .method = method});
      const double off = largest_difference(model(text).value(), logits);
      CAPTURE(off);
      CHECK(off < 1e-10);
    }
    // Step by step: what a cache keeps is normalised and turned, and a window moves on.
    Llama model = llama_from(checkpoint, {.dtype = DType::f64});
    StackCache cache;
    for (std::int64_t i = 0; i < text.size(1); ++i) {
      const Tensor now = model(slice(text, 1, i, i + 1), {.cache = &cache}).value();
      CHECK(largest_difference(now, slice(logits, 1, i, i + 1)) < 1e-10);
    }
    // As they are stored, multiplied as they are: what is rounded is f32.
    Llama stored = llama_from(checkpoint);
    CHECK(stored.embedding.tokens.weight.dtype() == DType::bf16);
    CHECK(largest_difference(to(stored(text).value(), DType::f64), logits) < 2e-5);
    Llama wide = llama_from(checkpoint, {.dtype = DType::f32});
    CHECK(largest_difference(stored(text).value(), wide(text).value()) < 1e-5);
  }
}

TEST_CASE("published families: a config in newer words says the same") {
  const std::string text = read_file(published / "gemma3/config.json");
  Json newer = parse_json(text, {.file = "x", .part = "the file", .depth = 8});
  auto& keys = std::get<JsonObject>(newer.value);
  for (const char* key : {"rope_theta", "rope_local_base_freq", "rope_scaling", "sliding_window_pattern"})
    keys.erase(key);
  const Json window{std::string("sliding_attention")}, all{std::string("full_attention")};
  const auto base = [](double theta) {
    return Json{JsonObject{{"rope_theta", {theta}}, {"rope_type", {std::string("default")}}}};
  };
  keys["layer_types"] = Json{JsonList{window, window, window, window, window, all}};
  keys["rope_parameters"] = Json{JsonObject{{"full_attention", base(1e6)}, {"sliding_attention", base(1e4)}}};
  CHECK(parse_config(to_json(newer), "x").options == parse_config(text, "x").options);
  keys["layer_types"] = Json{JsonList{window, all}};
  check_errors({{[&] { parse_config(to_json(newer), "x"); }, "IoError",
                 "load: x: layer_types is [\"sliding_attention\",\"full_attention\"], and there are 6 layers"}});
}

TEST_CASE("published families: gpt-oss as it comes, in 4 bits, is refused, and so is another limit") {
  const std::string text = read_file(published / "gpt_oss/config.json");
  const auto with = [&](const char* key, const Json& value) {
    Json changed = parse_json(text, {.file = "x", .part = "the file", .depth = 8});
    std::get<JsonObject>(changed.value)[key] = value;
    return to_json(changed);
  };
  const std::string packed = with("quantization_config", Json{JsonObject{{"quant_method", {std::string("mxfp4")}}}}),
                    limited = with("swiglu_limit", Json{8.0}),
                    few = with("num_experts_per_tok", Json{std::uint64_t{6}});
  check_errors(
      {{[&] { parse_config(packed, "x"); }, "IoError",
        "load: x: quantization_config is {\"quant_method\":\"mxfp4\"}: such packed weights (MXFP4 has 4 bits) "
        "cannot be read, but a copy of the model in BF16 can"},
       {[&] { parse_config(limited, "x"); }, "IoError", "load: x: swiglu_limit is 8, and 7 is all that can be read"},
       {[&] { parse_config(few, "x"); }, "IoError", "load: x: 5 experts, of which each token takes the best 6"}});
  CHECK(parse_config(with("layer_types", Json{nullptr}), "x").options == parse_config(text, "x").options);
}

TEST_CASE("published families: yarn in a config, and the tokens that end a text") {
  std::string text = read_file(published / "llama3/config.json");
  CHECK(parse_config(text, "x").ends == Tokens{1, 2});
  const std::size_t begin = text.find("\"rope_scaling\""), end = text.find('}', begin);
  text.replace(begin, end + 1 - begin,
               R"("rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32})");
  CHECK(parse_config(text, "x").options.frequencies == rotary::yarn(4, 500, {.factor = 4, .trained = 32}));
}

}  // namespace regard::nn

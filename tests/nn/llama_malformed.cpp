// Files of Llamas that are cut off, too long, or lie: an IoError that says what is wrong, before memory is taken.
#include "examples/published/bytes.h"
#include "examples/published/hugging_face.h"
#include "examples/published/llama2c.h"
#include "nn/save/safetensors.h"
#include "tensor/all.h"
#include "tests/catch.h"
#include "tests/nn/text_data.h"
#include "tests/tensor/error_case.h"
#include "tests/tensor/folder.h"

#include <filesystem>

namespace regard::nn {

namespace {

std::string version(int v) { return read_file(reference_data / fmt::format("llama2c_v{}.bin", v)); }

template <class Number>
std::string with_number(std::string bytes, std::size_t place, Number number) {
  std::string piece;
  append_number(piece, number);
  return bytes.replace(place, piece.size(), piece);
}

std::function<void()> reading(const std::string& bytes) {
  return [bytes] { parse_llama2c(bytes, "x"); };
}
ErrorCase refused(const std::string& bytes, const std::string& message) {
  return {reading(bytes), "IoError", "load: x: " + message};
}

std::string length_error(std::size_t bytes, const std::string& wanted) {
  return fmt::format("it has {} bytes, and one with the sizes of its header has {}: it is cut off, or another file",
                     bytes, wanted);
}

}  // namespace

TEST_CASE("malformed llama2.c: cut off at every byte, or too long") {
  for (const int v : {0, 1, 2}) {
    CAPTURE(v);
    const std::string bytes = version(v);
    CHECK_NOTHROW(parse_llama2c(bytes, "x"));
    bool all = true;
    for (std::size_t length = 0; length < bytes.size(); ++length)
      all = all && error_of(reading(bytes.substr(0, length))).first == "IoError";
    CHECK(all);
    check_errors(
        {refused(bytes + "x", length_error(bytes.size() + 1, std::to_string(bytes.size()))),
         refused(bytes.substr(0, bytes.size() - 4), length_error(bytes.size() - 4, std::to_string(bytes.size())))});
  }
  check_errors({refused("", "a file of llama2.c starts with 28 bytes of sizes; this one ends after 0"),
                refused(version(1).substr(0, 200), "the header has 256 bytes, and the file 200: it is cut off")});
}

TEST_CASE("malformed llama2.c: sizes that cannot be, in each version") {
  const std::string ask = " (is it a file of llama2.c?)";
  for (const int v : {0, 1, 2}) {
    CAPTURE(v);
    const std::string bytes = version(v);
    const auto with_size = [&](std::size_t which, std::int32_t size) {
      return with_number(bytes, (v == 0 ? 0 : 8) + 4 * which, size);
    };
    const char* names[] = {"dim", "hidden", "layers", "heads", "key_value_heads", "vocabulary", "positions"};
    for (std::size_t i = 0; i < 7; ++i)
      check_errors(
          {refused(with_size(i, 0), fmt::format("{} is 0, and should be from 1 to 2147483647", names[i]) + ask)});
    check_errors({
        refused(with_size(0, -8), "dim is -8, and should be from 1 to 2147483647" + ask),
        refused(with_size(0, 10), "4 heads do not divide a dim of 10" + ask),
        refused(with_size(4, 3), "3 key-value heads do not divide 4 heads" + ask),
        refused(with_size(3, 8), "a head has 1 features, which rotary positions cannot pair" + ask),
    });
    CHECK(error_of(reading(with_size(5, INT32_MIN))).first == "IoError");
  }
}

TEST_CASE("malformed llama2.c: headers that promise more than there is take no memory") {
  std::string all = version(0);
  for (std::size_t i = 0; i < 7; ++i) all = with_number(all, 4 * i, INT32_MAX - 3);
  all = with_number(all, 12, std::int32_t{2});
  all = with_number(all, 16, std::int32_t{2});
  CHECK(
      error_of(reading(all)).second.starts_with("load: x: it has " + std::to_string(all.size()) + " bytes, and one "));
  check_errors(
      {refused(with_number(version(1), 8 + 8, std::int32_t{2'000'000'000}), length_error(4896, "3968000000928"))});
}

TEST_CASE("malformed llama2.c: what else a header can say") {
  const std::string rest = " do not divide model.embed_tokens.weight (10, 8)";
  check_errors({
      refused(with_number(version(1), 4, std::int32_t{3}), "version 3 of the format is unknown"),
      refused(with_number(version(1), 4, std::int32_t{0}), "version 0 of the format is unknown"),
      refused(with_number(version(1), 36, std::uint8_t{2}), "whether the output is tied is 0 or 1, and not 2"),
      refused(with_number(version(1), 255, std::uint8_t{1}), "byte 255 of the header is not 0"),
      refused(with_number(version(1), 37, std::uint8_t{1}), "byte 37 of the header is not 0"),
      refused(with_number(version(2), 41, std::uint8_t{1}), "byte 41 of the header is not 0"),
      refused(with_number(version(2), 37, std::int32_t{0}), "groups of 0" + rest),
      refused(with_number(version(2), 37, std::int32_t{-16}), "groups of -16" + rest),
      refused(with_number(version(2), 37, std::int32_t{32}), "groups of 32" + rest),
  });
}

TEST_CASE("llama2.c: what cannot be written is said") {
  const Folder folder;
  LlamaCheckpoint checkpoint = load_llama2c(reference_data / "llama2c_v1.bin");
  const auto saving = [&](auto&& change) {
    return [&, change] {
      LlamaCheckpoint changed = checkpoint;
      change(changed);
      save_llama2c(folder / "x", changed, Llama2cVersion::v1);
    };
  };
  const std::string norm = "model.norm.weight";
  check_errors({
      {saving([](auto& c) { c.options.norm_epsilon = 1e-6; }), "ValueError",
       "save_llama2c: an epsilon of 1e-06 and a base of 10000: the format has 1e-05 and 10000 only"},
      {saving([](auto& c) { c.options.rotary_base = 500000; }), "ValueError",
       "save_llama2c: an epsilon of 1e-05 and a base of 500000: the format has 1e-05 and 10000 only"},
      {saving([&](auto& c) { c.tensors.erase(norm); }), "ValueError",
       "save_llama2c: the tensor model.norm.weight is missing"},
      {saving([&](auto& c) { c.tensors[norm] = ones({9}); }), "ValueError",
       "save_llama2c: the tensor model.norm.weight is f32 (9), and should be f32 (8)"},
      {saving([&](auto& c) { c.tensors[norm] = ones({8}, DType::f64); }), "ValueError",
       "save_llama2c: the tensor model.norm.weight is f64 (8), and should be f32 (8)"},
      {saving([](auto& c) { c.options.tied = true; }), "ValueError",
       "save_llama2c: the tensor lm_head.weight is no part of a Llama of these sizes"},
      {saving([](auto& c) { c.options.heads = 3; }), "ValueError", "save_llama2c: 3 heads do not divide a dim of 8"},
      {[&] {
         reorder_rows(ones({8, 3}), 3, RotaryLayout::halves, RotaryLayout::interleaved);
       },
       "ShapeError", "reorder_rows: (8, 3) with 3 heads: the rows do not make pairs in each head"},
  });
  CHECK(folder.count() == 0);
}

namespace {

// The real model's config with one line changed.
std::string config_with(const std::string& from, const std::string& to) {
  std::string text = read_file(reference_data / "stories260K/config.json");
  return text.replace(text.find(from), from.size(), to);
}
ErrorCase refused_config(const std::string& text, const std::string& message) {
  return {[text] { parse_hugging_face(text, "", "x"); }, "IoError", "load: x/config.json: " + message};
}

}  // namespace

TEST_CASE("malformed hugging face: a config of another model") {
  check_errors({
      refused_config("", "the file is not JSON (it goes wrong at byte 1 of it)"),
      refused_config("[]", "it has no hidden_size"),
      refused_config("{\"hidden_size\":64,\"hidden_size\":64}", "the file has the key \"hidden_size\" twice"),
      refused_config(config_with("\"hidden_size\": 64,", ""), "it has no hidden_size"),
      refused_config(config_with("\"hidden_size\": 64", "\"hidden_size\": 64.5"),
                     "hidden_size is 64.5, which is not a size"),
      refused_config(config_with("\"hidden_size\": 64", "\"hidden_size\": \"64\""),
                     "hidden_size is \"64\", which is not a size"),
      refused_config(config_with("\"hidden_size\": 64", "\"hidden_size\": -64"),
                     "hidden_size is -64, which is not a size"),
      refused_config(config_with("\"hidden_size\": 64", "\"hidden_size\": 65"), "8 heads do not divide a dim of 65"),
      refused_config(config_with("\"vocab_size\": 512", "\"vocab_size\": 99999999999"),
                     "vocabulary is 99999999999, and should be from 1 to 2147483647"),
      refused_config(config_with("1e-05", "0"), "norm_epsilon is 0"),
      refused_config(config_with("1e-05", "null"), "rms_norm_eps is null, which is not a number above 0"),
      refused_config(config_with("10000.0", "-1"), "rope_theta is -1, which is not a number above 0"),
      refused_config(config_with("10000.0", "-1.0"), "rotary_base is -1"),
      refused_config(config_with("\"tie_word_embeddings\": true", "\"tie_word_embeddings\": 1"),
                     "tie_word_embeddings is 1, and neither true nor false"),
      refused_config(
          config_with("\"llama\"", "\"mistral\""),
          "model_type is \"mistral\", and llama, qwen2, qwen3, gemma3_text, gpt_oss is all that can be read"),
      refused_config(config_with("\"silu\"", "\"gelu\""),
                     "hidden_act is \"gelu\", and \"silu\" is all that can be read"),
      refused_config(config_with("\"rope_scaling\": null", "\"rope_scaling\": {\"type\": \"linear\"}"),
                     "rope_scaling: it has no factor"),
      refused_config(
          config_with("\"rope_scaling\": null", "\"rope_scaling\": {\"type\": \"dynamic\", \"factor\": 2.0}"),
          "rope_scaling: type is \"dynamic\", and default, linear, llama3, yarn is all that can be read"),
      refused_config(config_with("\"rope_scaling\": null",
                                 "\"rope_scaling\": {\"type\": \"linear\", \"factor\": 2.0, \"low\": 1}"),
                     "rope_scaling: low is 1, and this key is not known"),
      refused_config(config_with("\"use_cache\": true", "\"partial_rotary_factor\": 0.5"),
                     "partial_rotary_factor is 0.5, and 1.0 is all that can be read"),
      refused_config(config_with("\"use_cache\": true", "\"num_experts\": 8"),
                     "num_experts is 8, and this key is not known"),
      refused_config(config_with("\"use_cache\": true", "\"attention_bias\": true"),
                     "attention_bias is true, and false is all that can be read"),
      refused_config(config_with("\"use_cache\": true", "\"head_dim\": 3"),
                     "a head has 3 features, which rotary positions cannot pair"),
  });
}

TEST_CASE("malformed hugging face: keys that may be left out") {
  const std::string tensors = read_file(reference_data / "stories260K/model.safetensors");
  const std::string no_base = config_with("\"rope_theta\": 10000.0,", "");
  CHECK(parse_hugging_face(no_base, tensors, "x").options.rotary_base == 10000);
  const std::string other_base = config_with("10000.0", "500000");
  CHECK(parse_hugging_face(other_base, tensors, "x").options.rotary_base == 500000);
  check_errors({
      {[&] { parse_hugging_face(config_with("\"num_key_value_heads\": 4,", ""), tensors, "x"); }, "IoError",
       "load: x/model.safetensors: the tensor model.layers.0.self_attn.k_proj.weight is f32 (32, 64), and should be "
       "f32 "
       "(64, 64)"},
      {[&] { parse_hugging_face(config_with("\"tie_word_embeddings\": true,", ""), tensors, "x"); }, "IoError",
       "load: x/model.safetensors: the tensor lm_head.weight is missing"},
  });
}

// Taken for a file without a base, it would be read with 10000, and nothing else would be wrong.
TEST_CASE("malformed hugging face: the base of rotary positions in an object of its own") {
  const std::string tensors = read_file(reference_data / "stories260K/model.safetensors");
  const auto config = [](const std::string& object) {
    return config_with("\"rope_theta\": 10000.0,", "\"rope_parameters\": " + object + ",");
  };
  const auto base = [&](const std::string& object) {
    return parse_hugging_face(config(object), tensors, "x").options.rotary_base;
  };
  CHECK(base("{\"rope_theta\": 500000.0, \"rope_type\": \"default\"}") == 500000);
  CHECK(base("{\"rope_theta\": 1000000}") == 1000000);
  const auto refused = [&](const std::string& object, const std::string& shown) {
    return refused_config(config(object), "rope_parameters" + shown);
  };
  check_errors({
      refused("{}", ": it has no rope_theta"),
      refused("10000", " is 10000, and no object"),
      refused("{\"rope_type\": \"default\"}", ": it has no rope_theta"),
      refused("{\"rope_theta\": 1e4, \"rope_type\": \"yarn\"}", ": it has no factor"),
      refused("{\"rope_theta\": 1e4, \"factor\": 8}", ": factor is 8, and this key is not known"),
      refused("{\"rope_theta\": \"big\"}", ": rope_theta is \"big\", which is not a number above 0"),
  });
}

TEST_CASE("malformed hugging face: tensors of another model") {
  const Folder folder;
  const std::string config = read_file(reference_data / "stories260K/config.json");
  const TensorFile good = load_safetensors(reference_data / "stories260K/model.safetensors");
  const auto with = [&](auto&& change) {
    return [&, change] {
      TensorFile changed = good;
      change(changed.tensors);
      save_safetensors(folder / "x", changed);
      parse_hugging_face(config, read_file(folder / "x"), "x");
    };
  };
  const std::string up = "model.layers.4.mlp.up_proj.weight", in = "load: x/model.safetensors: ";
  check_errors({
      {with([&](auto& t) { t.erase(up); }), "IoError", in + "the tensor " + up + " is missing"},
      {with([&](auto& t) { t[up] = transpose(t[up]); }), "IoError",
       in + "the tensor " + up + " is f32 (64, 172), and should be f32 (172, 64)"},
      {with([&](auto& t) { t[up] = to(t[up], DType::f64); }), "IoError",
       in + "the tensor " + up + " is f64 (172, 64), and should be f32 (172, 64)"},
      {with([&](auto& t) { t["model.layers.5.mlp.up_proj.weight"] = t[up]; }), "IoError",
       in + "the tensor model.layers.5.mlp.up_proj.weight is no part of a Llama of these sizes"},
      {with([&](auto& t) {
         t["lm_head.weight"] = zeros({512, 64});
       }),
       "IoError",
       in + "it has a lm_head.weight that is not model.embed_tokens.weight, and config.json says they are tied"},
      {[&] { parse_hugging_face(config, "", "x"); }, "IoError",
       in + "a safetensors file starts with the 8 bytes of a length; this one ends after 0"},
  });
}

TEST_CASE("malformed hugging face: a config that promises two thousand million layers takes no memory") {
  const std::string config = config_with("\"num_hidden_layers\": 5", "\"num_hidden_layers\": 2000000000");
  const std::string tensors = read_file(reference_data / "stories260K/model.safetensors");
  check_errors({{[&] { parse_hugging_face(config, tensors, "x"); }, "IoError",
                 "load: x/model.safetensors: the tensor model.layers.5.input_layernorm.weight is missing"}});
}

TEST_CASE("malformed hugging face: tensors in several files") {
  const Folder folder;
  std::filesystem::copy(reference_data / "published/llama3", folder.path());
  const std::string index = (folder / "model.safetensors.index.json").string(), good = read_file(index);
  const auto with_index = [&](const std::string& text) {
    return [&, text] {
      write_file(index, text);
      load_hugging_face(folder.path());
    };
  };
  std::string one = good;
  for (std::size_t at = 0; (at = one.find("-00002-of", at)) != std::string::npos; ++at) one[at + 5] = '1';
  std::string outside = good;
  outside.replace(outside.find("model-"), 1, "/");
  check_errors({
      {with_index("{}"), "IoError", "load: " + index + ": it has no weight_map, which says where each tensor is"},
      {with_index(one), "IoError", "load: " + index + ": the tensor model.layers.1.input_layernorm.weight is missing"},
      {with_index(outside), "IoError",
       "load: " + index +
           ": the tensor model.embed_tokens.weight is in \"/odel-00001-of-00002.safetensors\", which is "
           "no file of the folder"},
  });
  const std::string first = "model-00001-of-00002.safetensors", second = "model-00002-of-00002.safetensors";
  std::filesystem::copy_file(folder / first, folder / second, std::filesystem::copy_options::overwrite_existing);
  check_errors(
      {{with_index(good), "IoError",
        "load: " + (folder / second).string() + ": the tensor model.embed_tokens.weight is in another file, too"}});
  CHECK_THROWS_AS(load_hugging_face(folder.path() / "none"), IoError);
}

}  // namespace regard::nn

// Files of minGPT: a real model, and files that are not what they should be.
#include "examples/published/mingpt.h"

#include "examples/published/base64.h"
#include "tensor/all.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/nn/text_data.h"
#include "tests/tensor/error_case.h"

#include <filesystem>

namespace regard::nn {

namespace {

const std::filesystem::path sort_model = example_data / "gpt-nano-sort-model.json";
const std::filesystem::path partials = example_data / "gpt-nano-sort-t0-partials.json";

// x·Wᵀ + b, in f64
Tensor linear(const Tensor& x, const MinGptCheckpoint& gpt, const std::string& name) {
  const Tensor weight = to(gpt.tensors.at(name + ".weight"), DType::f64),
               bias = to(gpt.tensors.at(name + ".bias"), DType::f64);
  return matmul(x, transpose(weight)) + bias;
}

}  // namespace

TEST_CASE("base64: the test vectors of RFC 4648, and all bytes") {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"Zg==", "f"},
                                                         {"Zm8=", "fo"},
                                                         {"Zm9v", "foo"},
                                                         {"Zm9vYg==", "foob"},
                                                         {"Zm9vYmE=", "fooba"},
                                                         {"Zm9vYmFy", "foobar"}};
  for (const auto& [text, bytes] : vectors) {
    CHECK(from_base64(text) == std::string(bytes));
  }
  CHECK(from_base64("+/+/") == std::string("\xFB\xFF\xBF"));
  for (const char* text : {"Z", "Zg", "Zg=", "Zg===", "=", "====", "Zg=v", "Z===", "Zm9\n", "Zm9-", "Zh==", "Zm9="})
    CHECK_FALSE(from_base64(text).has_value());
}

TEST_CASE("minGPT: the real model has the sizes it should have, and its c_attn in three") {
  const MinGptCheckpoint gpt = load_mingpt(sort_model);
  CHECK(gpt.options == GptOptions{.model = 48, .layers = 3, .heads = 3, .vocabulary = 3, .longest = 11, .tied = false});
  CHECK(gpt.tensors.size() == 3 * 16 + 5);
  const auto raw = load_json_tensors(sort_model);
  const Tensor all = raw.at("transformer.h.1.attn.c_attn.weight");
  const char* names[] = {"q", "k", "v"};
  for (int i = 0; i < 3; ++i)
    CHECK(identical(gpt.tensors.at(fmt::format("transformer.h.1.attn.{}.weight", names[i])),
                    slice(all, 0, 48 * i, 48 * (i + 1))));
  CHECK_FALSE(gpt.tensors.contains("transformer.h.1.attn.bias"));
}

TEST_CASE("minGPT: queries, keys and values of the real model are the stored ones") {
  const MinGptCheckpoint gpt = load_mingpt(sort_model);
  auto stored = load_json_tensors(partials);
  CHECK(stored.size() == 25);
  const Tensor normed = to(stored.at("ln1"), DType::f64);
  for (const std::string name : {"q", "k", "v"}) {
    CAPTURE(name);
    const Tensor heads = transpose(reshape(linear(normed, gpt, "transformer.h.0.attn." + name), {3, 11, 3, 16}), 1, 2);
    CHECK(largest_difference(heads, to(stored.at(name), DType::f64)) < 2e-6);
  }
  const Tensor embedded =
      index_select(gpt.tensors.at("transformer.wte.weight"), 0, to(flatten(stored.at("idx")), DType::i64));
  CHECK(identical(reshape(embedded, {3, 11, 48}), stored.at("tok_emb")));
  CHECK(identical(reshape(gpt.tensors.at("transformer.wpe.weight"), {1, 11, 48}), stored.at("pos_emb")));
}

TEST_CASE("minGPT: files that are not what they should be") {
  const std::string text = read_file(sort_model);
  const auto refused = [](const std::string& content, const std::string& message) {
    return ErrorCase{[content] { parse_mingpt(content, "x"); }, "IoError", "load: x: " + message};
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    return changed.replace(changed.find(from), from.size(), to);
  };
  const auto tensor_with = [](const std::string& fields) { return "{\"a\":{" + fields + "}}"; };
  const std::string dtype = "\"dtype\":\"torch.float32\"";
  check_errors({
      refused("", "the file is not JSON (it goes wrong at byte 1 of it)"),
      refused("[]", "it is not an object of tensors"),
      refused("{}", "it has no config"),
      refused(text.substr(0, 1000), "the file is not JSON (it goes wrong at byte 1001 of it)"),
      refused(tensor_with(""), "the tensor \"a\" has no shape, no dtype or no data"),
      refused(tensor_with("\"shape\":[1]," + dtype), "the tensor \"a\" has no shape, no dtype or no data"),
      refused(tensor_with("\"shape\":[1],\"dtype\":\"torch.int8\",\"data\":\"\""),
              "the tensor \"a\" has the dtype \"torch.int8\" (torch.float32 can be read)"),
      refused(tensor_with("\"shape\":[1],\"data\":\"AAA\"," + dtype), "the data of the tensor \"a\" are not base64"),
      refused(tensor_with("\"shape\":[1],\"data\":7," + dtype), "the data of the tensor \"a\" are not base64"),
      refused(tensor_with("\"shape\":[2],\"data\":\"AAAAAA==\"," + dtype),
              "the tensor \"a\" has 4 bytes of data, where f32 (2) takes 8"),
      refused(tensor_with("\"shape\":[-1],\"data\":\"\"," + dtype),
              "the tensor \"a\" has the shape [-1], which is none"),
      refused(tensor_with("\"shape\":[2147483647,2147483647,3,0],\"data\":\"\"," + dtype),
              "the tensor \"a\" has the shape (2147483647, 2147483647, 3, 0), which has more elements than memory can "
              "hold"),
      refused(with("\"n_layer\": 3", "\"n_layer\": 4"), "the tensor transformer.h.3.ln_1.weight is missing"),
      refused(with("\"n_layer\": 3", "\"n_layer\": 2"),
              "the tensor \"transformer.h.2.attn.bias\" is no part of a minGPT"),
      refused(with("\"n_head\": 3", "\"n_head\": 5"), "5 heads do not divide 48 features"),
      refused(with("\"n_embd\": 48", "\"n_embd\": 24"),
              "the tensor transformer.wte.weight is (3, 48), and should be (3, 24)"),
      refused(with("\"lm_head.weight\"", "\"head.weight\""), "the tensor lm_head.weight is missing"),
      refused(with("\"block_size\": 11", "\"block_size\": 0"),
              "the config has no block_size of 1 or more: {\"attn_pdrop\":0.1,\"block_size\":0,\"embd_pdrop\":0.1,"
              "\"model_type\":\"gpt-nano\",\"n_emb…"),
  });
}

}  // namespace regard::nn

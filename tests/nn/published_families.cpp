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
  for (const std::string name : {"llama2", "llama3", "qwen2", "qwen3", "gemma3"}) {
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

}  // namespace regard::nn

#include "examples/trainers/corpus.h"

#include "examples/published/byte_pairs.h"
#include "nn/text/characters.h"
#include "tensor/create.h"
#include "tensor/error.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"
#include "tensor/ops/reduce.h"
#include "tensor/random/random.h"
#include "tensor/view.h"

#include <memory>

namespace regard {
namespace {

template <class Tokenizer, class TextOf>
Spelling spelling(std::shared_ptr<const Tokenizer> tokenizer, std::int64_t size, const TextOf& text_of) {
  std::vector<double> lengths;
  for (std::int64_t token = 0; token < size; ++token)
    lengths.push_back(static_cast<double>(text_of(*tokenizer, token).size()));
  return {[=](std::string_view text) { return tokenizer->encode(text); },
          [=](std::int64_t token) { return text_of(*tokenizer, token); }, tensor(lengths, {size}, DType::f64)};
}

void require_window(const char* function, const Tensor& tokens, std::int64_t length) {
  if (tokens.numel() <= length)
    fail<ValueError>("{}: a text of {} tokens is too short for a window of {} and the token behind it", function,
                     tokens.numel(), length);
}

}  // namespace

Spelling characters_of(const Corpus& corpus) {
  using Tokenizer = nn::CharacterTokenizer;
  const auto tokenizer = std::make_shared<const Tokenizer>(corpus.text);
  return spelling(tokenizer, tokenizer->vocabulary().size(),
                  [](const Tokenizer& t, std::int64_t token) { return t.vocabulary().word(token); });
}

Spelling byte_pairs_of(const Corpus& corpus, std::int64_t vocabulary) {
  using Tokenizer = nn::BytePairs;
  const auto tokenizer =
      std::make_shared<const Tokenizer>(Tokenizer::train(corpus.to_learn(), {.vocabulary = vocabulary}));
  return spelling(tokenizer, tokenizer->size(), [](const Tokenizer& t, std::int64_t token) { return t.bytes(token); });
}

double per_character(const Tensor& losses, const Tensor& tokens, const Spelling& spelling) {
  return sum(losses).item() / sum(index_select(spelling.lengths, 0, flatten(tokens))).item();
}

Windows all_windows(const Tensor& tokens, std::int64_t length) {
  require_window("all_windows", tokens, length);
  const std::int64_t count = (tokens.numel() - 1) / length;
  const Shape shape{count, length};
  return {reshape(slice(tokens, 0, 0, count * length), shape), reshape(slice(tokens, 0, 1, count * length + 1), shape)};
}

Windows random_windows(const Tensor& tokens, std::int64_t count, std::int64_t length, Generator& generator) {
  require_window("random_windows", tokens, length);
  // book: windows
  const Tensor begins = randint({count, 1}, generator, 0, tokens.numel() - length);
  const Tensor places = begins + arange(length + 1);
  const Tensor all = reshape(index_select(tokens, 0, flatten(places)), places.shape());
  return {slice(all, 1, 0, length), slice(all, 1, 1)};
  // book: /windows
}

}  // namespace regard

// Models as decoding sees them: a writer begins anew with each call, and what does not fit together is refused.
#include "examples/published/published.h"
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <limits>

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

Gpt small_gpt() {
  Generator g(1);
  return make_gpt({.model = 16, .layers = 2, .heads = 2, .vocabulary = 7, .longest = 20, .tied = false}, g);
}

Transformer translator() {
  Generator g(2);
  const LayerOptions layer{
      .model = 16, .heads = 2, .hidden = 32, .placement = NormPlacement::pre, .method = Method::fused};
  return {ScaledDotProduct{},
          {.source_vocabulary = 9, .target_vocabulary = 8, .encoder_layers = 1, .decoder_layers = 2, .layer = layer},
          g};
}

const Tensor sources = tensor({{1, 2, 3, 4}, {5, 6, 0, 0}, {7, 8, 1, 0}}, DType::i64);
const Tensor lengths = tensor({4, 2, 3}, DType::i64);

}  // namespace

// The first call leaves keys and values of its texts behind. A second one that went on from there would write
// something else, and no shape would say so.
TEST_CASE("writers: the same writer writes the same text again") {
  const Writer w = writer(small_gpt());
  const GenerateOptions options{.tokens = 6};
  const auto first = generate(w, {{1, 2}, {3}}, options);
  CHECK(generate(w, {{1, 2}, {3}}, options) == first);
  CHECK(generate(w, {{3}}, options)[0] == first[1]);  // and with another number of texts
  const auto beams = [&] { return beam_search(w, {1, 2}, {.width = 3, .tokens = 5}); };
  const auto found = beams(), again = beams();
  REQUIRE(found.size() == again.size());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i].tokens == again[i].tokens);
}

TEST_CASE("writers: sources that were left out in one call are there in the next") {
  const Writer w = writer(translator(), sources, lengths);
  const std::vector<Tokens> prompts{{0}, {1, 2, 3}, {4}};
  const GenerateOptions options{.tokens = 4, .end = 2};  // the texts stop at different steps
  const auto first = generate(w, prompts, options);
  CHECK(generate(w, prompts, options) == first);
  for (std::int64_t b = 0; b < 3; ++b) {
    const auto at = static_cast<std::size_t>(b);
    const Writer alone = writer(translator(), slice(sources, 0, b, b + 1), slice(lengths, 0, b, b + 1));
    CHECK(generate(alone, {prompts[at]}, options)[0] == first[at]);
  }
}

TEST_CASE("writers: as many tokens as one likes, or none") {
  constexpr auto no_limit = std::numeric_limits<std::int64_t>::max();
  CHECK(generate(writer(small_gpt()), {{1, 2}}, {.tokens = no_limit})[0].size() == 19);
  CHECK(beam_search(writer(small_gpt()), {1, 2}, {.width = 2, .tokens = no_limit})[0].tokens.size() == 19);
  const std::vector<Tokens> nothing(3);
  CHECK(generate(writer(translator(), sources, lengths), {{0}, {1, 2}, {3}}, {.tokens = 0}) == nothing);
}

TEST_CASE("writers: texts and sources that do not fit are refused") {
  const auto about = [](const Tensor& length) { return writer(translator(), sources, length); };
  CHECK_THROWS_WITH(generate(about(lengths), {{0}}, {.tokens = 1}),
                    ContainsSubstring("writer: tokens (1, 1) for 3 sources: each source has one text"));
  CHECK_THROWS_WITH(beam_search(about(lengths), {0}, {.width = 2, .tokens = 1}), ContainsSubstring("for 3 sources"));
  CHECK_THROWS_WITH(about(tensor({4, 2}, DType::i64)),
                    ContainsSubstring("writer: tokens (3, 4) and lengths (2): they must be (B, L) and (B)"));
  CHECK_THROWS_WITH(about(tensor({4, 5, 1}, DType::i64)), ContainsSubstring("writer: a length of 5 in tokens (3, 4)"));
  CHECK_NOTHROW(generate(about(tensor({4, 0, 1}, DType::i64)), {{0}, {0}, {0}}, {.tokens = 1}));
}

// A text whose end cannot come would only stop where the positions do.
TEST_CASE("writers: an end that is no token, and a penalty that is no number, are refused") {
  const Writer w = writer(small_gpt());
  for (const std::int64_t end : {-1, 7}) {
    const std::string message = fmt::format("the end is the token {}, and the vocabulary has 7", end);
    CHECK_THROWS_WITH(generate(w, {{1}}, {.tokens = 1, .end = end}), ContainsSubstring("generate: " + message));
    CHECK_THROWS_WITH(beam_search(w, {1}, {.width = 1, .tokens = 1, .end = end}),
                      ContainsSubstring("beam_search: " + message));
  }
  for (const double penalty : {nan, inf})
    CHECK_THROWS_WITH(beam_search(w, {1}, {.width = 1, .tokens = 1, .length_penalty = penalty}),
                      ContainsSubstring("beam_search: length_penalty"));
}

}  // namespace regard::nn

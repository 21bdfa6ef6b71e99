// Choosing tokens, and writing texts with them.
#include "examples/published/published.h"
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

Gpt small_gpt(std::uint64_t seed = 1) {
  Generator g(seed);
  return make_gpt({.model = 16, .layers = 2, .heads = 2, .vocabulary = 7, .longest = 20, .tied = false}, g);
}

// A model whose next token depends on the last alone: its logits are a row of a table (V, V).
Writer chain(const Tensor& table) {
  const auto last = std::make_shared<Tensor>();
  return {.read =
              [=](const Tensor& tokens) {
                *last = select(tokens, 1, -1);
                return index_select(table, 0, *last);
              },
          .select = [=](const Tensor& sequences) { *last = index_select(*last, 0, sequences); },
          .vocabulary = table.size(0)};
}

// The most likely continuation, by asking for the logits of the whole text again for each token.
Tokens greedy_without_cache(Gpt& model, Tokens text, std::int64_t count) {
  const NoGrad no_grad;
  const std::size_t length = text.size();
  for (std::int64_t i = 0; i < count; ++i) {
    const Tensor logits = select(model(unsqueeze(token_tensor(text), 0)).value(), 1, -1);
    text.push_back(static_cast<std::int64_t>(argmax(logits, 1).at({0})));
  }
  return {text.begin() + static_cast<std::ptrdiff_t>(length), text.end()};
}

std::vector<Generator> generators(std::size_t count) {
  std::vector<Generator> list;
  for (std::size_t i = 0; i < count; ++i) list.emplace_back(100 + i);
  return list;
}

}  // namespace

TEST_CASE("decoding: temperature, top k, top p and penalty by hand") {
  const Tensor x = f64({{2, 1, 0, 1}});
  CHECK(identical(with_temperature(x, 0.5), f64({{4, 2, 0, 2}})));
  CHECK(identical(keep_top_k(x, 2), f64({{2, 1, -inf, -inf}})));  // of equals the first
  CHECK(identical(keep_top_k(x, 9), x));
  const Tensor shares = log(f64({{0.2, 0.5, 0.1, 0.2}}));
  const auto kept = [&](double p) { return to(greater(keep_top_p(shares, p), -inf), DType::i64); };
  CHECK(identical(kept(0.4), tensor({{0, 1, 0, 0}}, DType::i64)));
  CHECK(identical(kept(0.6), tensor({{1, 1, 0, 0}}, DType::i64)));
  CHECK(identical(kept(0.85), tensor({{1, 1, 0, 1}}, DType::i64)));
  CHECK(identical(kept(1), tensor({{1, 1, 1, 1}}, DType::i64)));
  const Tensor seen = tensor({{0, 3, 0}}, DType::i64);
  CHECK(identical(with_repetition_penalty(f64({{2, 1, -1, -3}}), seen, 2), f64({{1, 1, -1, -6}})));
}

TEST_CASE("decoding: tokens come as often as they are likely, and those that cannot come never do") {
  const Tensor shares = f64({{0.5, 0.25, 0, 0.25}});
  std::vector<Generator> own{Generator(3)};
  std::vector<double> counts(4);
  for (int i = 0; i < 4000; ++i) ++counts[static_cast<std::size_t>(draw_tokens(log(shares), own).at({0}))];
  CHECK(own[0].position() == 4000);
  CHECK(counts[2] == 0);
  // Of 4000 draws with probability p, four deviations are 4·√(4000·p·(1 − p)): 126 and 110.
  CHECK(std::abs(counts[0] - 2000) < 126);
  CHECK(std::abs(counts[1] - 1000) < 110);
  std::vector<Generator> none;
  CHECK(draw_tokens(zeros({0, 4}), none).shape() == Shape{0});
}

TEST_CASE("decoding: with and without a cache the same text is written, up to the last position") {
  Gpt model = small_gpt();
  for (const Tokens& prompt : {Tokens{0}, Tokens{3, 1, 4}}) {
    const std::int64_t count = 21 - std::ssize(prompt);  // the last one is not read
    const auto written = generate(writer(model), {prompt}, {.tokens = 100});
    CHECK(written[0] == greedy_without_cache(model, prompt, count));
  }
}

TEST_CASE("decoding: what a sequence becomes does not depend on the others") {
  Gpt model = small_gpt(2);
  const std::vector<Tokens> prompts{{1}, {5, 2, 6, 6, 0, 3}, {2, 2}, {4}};
  for (const bool sampled : {false, true}) {
    GenerateOptions options{.tokens = 9, .end = 3};
    if (sampled)
      options.rules = sampling_rules({.temperature = 1.5, .top_k = 5, .top_p = 0.95, .repetition_penalty = 1.1});
    if (sampled) options.generators = generators(4);
    const auto together = generate(writer(model), prompts, options);
    for (std::size_t b = 0; b < prompts.size(); ++b) {
      GenerateOptions alone = options;
      if (sampled) alone.generators = {options.generators[b]};
      CHECK(generate(writer(model), {prompts[b]}, alone)[0] == together[b]);
      CHECK(together[b].size() <= 9);
      CHECK(std::find(together[b].begin(), together[b].end(), 3) == together[b].end());
    }
  }
}

TEST_CASE("decoding: a text ends at its end, and others go on") {
  // 0 → 1 → 2 → 3 → 0; the end is 3.
  const Tensor ring = tensor({{0, 9, 0, 0}, {0, 0, 9, 0}, {0, 0, 0, 9}, {9, 0, 0, 0}});
  std::vector<std::pair<std::size_t, std::int64_t>> seen;
  const auto written = generate(
      chain(ring), {{0}, {2}, {3, 0}},
      {.tokens = 5, .end = 3, .on_token = [&](std::size_t b, std::int64_t token) { seen.emplace_back(b, token); }});
  CHECK(written == std::vector<Tokens>{{1, 2}, {}, {1, 2}});
  CHECK(seen == std::vector<std::pair<std::size_t, std::int64_t>>{{0, 1}, {0, 2}, {2, 1}, {2, 2}});
  CHECK(generate(chain(ring), {{0}}, {.tokens = 0}) == std::vector<Tokens>{{}});
  CHECK(generate(chain(ring), {}, {.tokens = 3}).empty());
}

TEST_CASE("decoding: the most likely of one token is greedy, whatever is drawn") {
  Gpt model = small_gpt(3);
  const auto greedy = generate(writer(model), {{2}, {5}}, {.tokens = 12});
  CHECK(generate(writer(model), {{2}, {5}},
                 {.tokens = 12, .rules = sampling_rules({.top_k = 1}), .generators = generators(2)}) == greedy);
  CHECK(generate(writer(model), {{2}, {5}},
                 {.tokens = 12, .rules = sampling_rules({.top_p = 1e-9}), .generators = generators(2)}) == greedy);
}

// The last token is not read, so 20 positions are room for 21.
TEST_CASE("decoding: a text is as long as the model can read, and one token more") {
  const Writer w = writer(small_gpt());
  const std::vector<Tokens> written = generate(w, {{1}, {1, 2, 3, 4}, Tokens(20, 1)}, {.tokens = 100});
  CHECK(written[0].size() == 20);
  CHECK(written[1].size() == 17);
  CHECK(written[2].size() == 1);
  CHECK(beam_search(writer(small_gpt()), {1, 2, 3, 4}, {.width = 2, .tokens = 100})[0].tokens.size() == 17);
}

TEST_CASE("decoding: what cannot be is refused") {
  Gpt model = small_gpt();
  const Writer w = writer(model);
  const auto write = [&](const std::vector<Tokens>& prompts) { generate(w, prompts, {.tokens = 1}); };
  CHECK_THROWS_WITH(write({{}}), ContainsSubstring("generate: prompt 0 is empty"));
  CHECK_THROWS_WITH(write({{1}, Tokens(21)}),
                    ContainsSubstring("prompt 1 has 21 tokens, and the model has positions for 20"));
  CHECK_THROWS_WITH(write({{1, 7}}), ContainsSubstring("prompt 0 holds the token 7, and the vocabulary has 7"));
  CHECK_THROWS_WITH(write({{-1}}), ContainsSubstring("the token -1"));
  CHECK_THROWS_WITH(generate(w, {{1}}, {.tokens = 1, .generators = generators(2)}),
                    ContainsSubstring("2 generators for 1 prompts"));
  const Tensor bad = full({7, 7}, nan);
  CHECK_THROWS_WITH(generate(chain(bad), {{1}}, {.tokens = 1}), ContainsSubstring("logits of sequence 0 are NaN"));
  // Top k leaves the NaN out, and top p everything.
  const Tensor one_bad = where(equal(arange(7), 3), nan, zeros({7, 7}));
  for (const SamplingOptions& options : {SamplingOptions{.top_k = 1}, SamplingOptions{.top_p = 0.5}})
    CHECK_THROWS_WITH(generate(chain(one_bad), {{1}}, {.tokens = 1, .rules = sampling_rules(options)}),
                      ContainsSubstring("logits of sequence 0 are NaN"));
  CHECK_THROWS_WITH(generate(chain(full({7, 7}, -inf)), {{1}}, {.tokens = 1, .generators = generators(1)}),
                    ContainsSubstring("all logits of sequence 0 are −∞"));
  for (const SamplingOptions& wrong : {SamplingOptions{.temperature = 0}, SamplingOptions{.top_k = -1},
                                       SamplingOptions{.top_p = 1.5}, SamplingOptions{.repetition_penalty = -1}})
    CHECK_THROWS_AS(sampling_rules(wrong), ValueError);
  const Tensor x = f64({{1, 2}});
  for (const double t : {0.0, -1.0, nan, inf})
    CHECK_THROWS_WITH(with_temperature(x, t), ContainsSubstring("it must be greater than 0"));
  CHECK_THROWS_WITH(keep_top_k(x, 0), ContainsSubstring("k = 0"));
  CHECK_THROWS_WITH(keep_top_p(x, 0), ContainsSubstring("p = 0"));
  CHECK_THROWS_WITH(keep_top_p(x, 1.1), ContainsSubstring("p = 1.1"));
  CHECK_THROWS_WITH(with_repetition_penalty(x, zeros({1, 1}, DType::i64), 0), ContainsSubstring("greater than 0"));
  CHECK_THROWS_WITH(most_likely(f64({1, 2})), ContainsSubstring("logits (2): they must be (B, V)"));
  CHECK_THROWS_WITH(require_padded("writer", zeros({2, 3}, DType::i64), tensor({1, 4}, DType::i64)),
                    ContainsSubstring("a length of 4 in tokens (2, 3)"));
  const auto tokens = tensor({{0, 7}}, DType::i64);
  CHECK_THROWS_WITH(model(tokens), ContainsSubstring("the index 7 is outside the 7 rows"));
  CHECK_THROWS_WITH(model(zeros({1, 21}, DType::i64)), ContainsSubstring("the longest sequence has 20"));
}

}  // namespace regard::nn

// Beam search between its two ends: one beam is the greedy choice, and one that has room for everything finds the best.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::int64_t end_token = 2;

Transformer translator(std::uint64_t seed) {
  Generator g(seed);
  const LayerOptions layer{.model = 8, .heads = 2, .hidden = 16, .placement = NormPlacement::pre};
  return {ScaledDotProduct{},
          {.source_vocabulary = 5, .target_vocabulary = 4, .encoder_layers = 1, .decoder_layers = 1, .layer = layer},
          g};
}

// Every text of at most `count` tokens, with its probability by full passes without a cache.
void search(const std::function<Tensor(const Tokens&)>& log_probabilities, const Tokens& so_far, double probability,
            std::int64_t count, double penalty, std::vector<Hypothesis>& all) {
  const auto add = [&](const Tokens& tokens, double log_probability, std::int64_t length) {
    all.push_back(
        {tokens, log_probability, log_probability / std::pow((5 + static_cast<double>(length)) / 6, penalty)});
  };
  if (std::ssize(so_far) == count) return add(so_far, probability, count);
  const Tensor next = log_probabilities(so_far);
  for (std::int64_t token = 0; token < next.numel(); ++token) {
    const double longer = probability + next.at({token});
    if (token == end_token) {
      add(so_far, longer, std::ssize(so_far) + 1);
      continue;
    }
    Tokens text = so_far;
    text.push_back(token);
    search(log_probabilities, text, longer, count, penalty, all);
  }
}

}  // namespace

TEST_CASE("beam search: a beam of 1 is the greedy choice") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    auto model = translator(seed);
    const Tensor source = tensor({{0, 3, 1}}, DType::i64);
    const auto greedy = generate(writer(model, source), {{0}}, {.tokens = 6, .end = end_token});
    for (const double penalty : {0.0, 1.0}) {
      const auto found = beam_search(writer(model, source), {0},
                                     {.width = 1, .tokens = 6, .end = end_token, .length_penalty = penalty});
      REQUIRE(found.size() == 1);
      CHECK(found[0].tokens == greedy[0]);
    }
  }
}

TEST_CASE("beam search: with room for everything it is an exhaustive search") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    for (const double penalty : {0.0, 0.6, 2.0}) {
      auto model = translator(seed);
      const Tensor source = tensor({{0, 3, 1, 4}}, DType::i64), length = tensor({3}, DType::i64);
      const auto next = [&](const Tokens& text) {
        const NoGrad no_grad;
        Tokens with_begin{0};
        with_begin.insert(with_begin.end(), text.begin(), text.end());
        const Encoded from = model.encode(source, Mask::valid_lengths(length));
        const Tensor logits = model.decode(unsqueeze(token_tensor(with_begin), 0), from).value();
        return log_softmax(to(select(select(logits, 0, 0), 0, -1), DType::f64), -1);
      };
      std::vector<Hypothesis> all;
      search(next, {}, 0, 4, penalty, all);
      std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
      const auto found = beam_search(writer(model, source, length), {0},
                                     {.width = 1000, .tokens = 4, .end = end_token, .length_penalty = penalty});
      REQUIRE(found.size() == all.size());  // 1 + 3 + 9 + 27 that end, and 81 that do not
      CHECK(found.size() == 121);
      for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(found[i].tokens == all[i].tokens);
        CHECK(found[i].log_probability == Approx(all[i].log_probability).epsilon(1e-12));
        CHECK(found[i].score == Approx(all[i].score).epsilon(1e-12));
      }
    }
}

// The same for recurrent translators: each text's probability by all of its steps at once.
void check_exhaustive(Seq2Seq model) {
  const Tensor source = tensor({{0, 3, 1, 4}}, DType::i64), length = tensor({3}, DType::i64);
  const auto next = [&](const Tokens& text) {
    const NoGrad no_grad;
    Tokens with_begin{0};
    with_begin.insert(with_begin.end(), text.begin(), text.end());
    const Tensor logits = model(source, length, unsqueeze(token_tensor(with_begin), 0)).logits.value();
    return log_softmax(to(select(select(logits, 0, 0), 0, -1), DType::f64), -1);
  };
  std::vector<Hypothesis> all;
  search(next, {}, 0, 3, 0, all);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  const Writer one = writer(model, source, length);
  for (int call = 0; call < 2; ++call) {  // each begins anew
    const auto found = beam_search(one, {0}, {.width = 1000, .tokens = 3, .end = end_token});
    REQUIRE(found.size() == all.size());
    CHECK(found.size() == 40);  // 1 + 3 + 9 that end, and 27 that do not
    for (std::size_t i = 0; i < all.size(); ++i) {
      CHECK(found[i].tokens == all[i].tokens);
      CHECK(found[i].log_probability == Approx(all[i].log_probability).epsilon(1e-12));
    }
  }
  const Writer three = writer(model, expand(source, {3, 4}), expand(length, {3}));
  const auto texts = generate(three, {{0}, {0, 1}, {0, 1, 3}}, {.tokens = 3, .end = end_token});
  CHECK(texts[0] == beam_search(one, {0}, {.width = 1, .tokens = 3, .end = end_token})[0].tokens);
  CHECK(texts[2] == beam_search(one, {0, 1, 3}, {.width = 1, .tokens = 3, .end = end_token})[0].tokens);
  CHECK_THROWS_WITH(generate(three, {{0}}, {.tokens = 1}), ContainsSubstring("tokens (1, 1) for 3 sources"));
}

TEST_CASE("beam search: recurrent translators, with attention and without, of one layer and of two") {
  for (const std::int64_t layers : {1, 2}) {
    Generator g(6);
    const DecoderOptions sizes{.in = 4, .hidden = 5, .memory = 10, .layers = layers, .dtype = DType::f64};
    const Seq2SeqOptions options{
        .source_count = 5, .target_count = 4, .embedding = 4, .hidden = 5, .dropout = 0.5, .dtype = DType::f64};
    const AdditiveScore score({.query_size = 5, .key_size = 10, .hidden = 6, .dtype = DType::f64}, g);
    Seq2Seq looking(AttentionDecoder(score, ResetGate::after_product, sizes, g), options, g);
    Seq2Seq plain(SummaryDecoder(ResetGate::after_product, sizes, g), options, g);
    eval(looking), eval(plain);
    check_exhaustive(looking);
    check_exhaustive(plain);
  }
}

TEST_CASE("beam search: a wider beam finds what the greedy choice misses") {
  // From 0, token 1 is a little more likely than 3, but only after 3 all is certain.
  const Tensor shares = f64({{0, 0.55, 0, 0.45}, {0.25, 0.25, 0.25, 0.25}, {0, 0, 1, 0}, {0, 0, 1, 0}});
  const auto writes = [&] {
    return Writer{.read = [&](const Tensor& tokens) { return log(index_select(shares, 0, select(tokens, 1, -1))); },
                  .select = [](const Tensor&) {},
                  .vocabulary = 4};
  };
  CHECK(beam_search(writes(), {0}, {.width = 1, .tokens = 3, .end = end_token})[0].tokens != Tokens{3});
  const auto found = beam_search(writes(), {0}, {.width = 2, .tokens = 3, .end = end_token});
  CHECK(found[0].tokens == Tokens{3});
  CHECK(found[0].log_probability == Approx(std::log(0.45)));
}

TEST_CASE("beam search: what cannot be is refused") {
  auto model = translator(1);
  const Writer w = writer(model, tensor({{0}}, DType::i64));
  CHECK_THROWS_WITH(beam_search(w, {0}, {.width = 0, .tokens = 1}), ContainsSubstring("width = 0"));
  CHECK_THROWS_WITH(beam_search(w, {}, {.width = 1, .tokens = 1}), ContainsSubstring("beam_search: prompt 0 is empty"));
  CHECK_THROWS_WITH(beam_search(w, {4}, {.width = 1, .tokens = 1}), ContainsSubstring("the token 4"));
}

}  // namespace regard::nn

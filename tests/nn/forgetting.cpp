#include "autograd/all.h"
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {

// C falls by about 0.8 a token, so to −3300: a number in f32 that is off by 1e-4.
TEST_CASE("forgetting: f32 is as exact as plain attention, at 4096 tokens") {
  const NoGrad no_grad;
  const std::int64_t length = 4096;
  const Variable x = noise({1, length, 16}, 1, DType::f32), wide(to(x.value(), DType::f64));
  const MultiHeadOptions options{.model = 16, .heads = 2, .method = Method::fused};
  const auto error = [&](auto attention) {
    auto exact = clone(attention);
    convert(exact, DType::f64);
    const Tensor y = attention(x, x, x, Mask::causal()).output.value();
    const Tensor right = exact(wide, wide, wide, Mask::causal()).output.value();
    return largest_difference(to(y, DType::f64), right) / max(abs(right)).item();
  };
  Generator g(1);
  const double plain = error(MultiHeadAttention(ScaledDotProduct{}, options, g));
  const double forgetting = error(ForgettingAttention(ScaledDotProduct{}, options, g));
  INFO("plain " << plain << ", forgetting " << forgetting);
  CHECK(forgetting < 2 * plain);
}

TEST_CASE("forgetting: in a model, written token by token and in two sequences of which one goes on") {
  Generator g(1);
  const MultiHeadOptions heads{.model = 8, .heads = 2, .dtype = DType::f64, .method = Method::fused};
  const auto make = [&](std::int64_t, Generator& generator) -> AnyAttention {
    return ForgettingAttention(ScaledDotProduct{}, heads, generator);
  };
  const LayerOptions layer{.model = 8, .heads = 2, .hidden = 8, .placement = NormPlacement::pre, .dtype = DType::f64};
  DecoderModel model(make, {.vocabulary = 7, .layers = 2, .layer = layer}, g);
  const Tensor ids = tensor({{3, 1, 4, 1, 5}, {2, 6, 5, 3, 5}}, DType::i64);
  const Variable full = model(ids);
  StackCache cache;
  for (std::int64_t i = 0; i < 5; ++i) {
    if (i == 3) cache.select(tensor({1}, DType::i64));
    const Tensor now = slice(i < 3 ? ids : slice(ids, 0, 1), 1, i, i + 1);
    const Tensor right = slice(slice(full.value(), 1, i, i + 1), 0, i < 3 ? 0 : 1);
    CHECK(allclose(model(now, {.cache = &cache}).value(), right, 1e-12, 1e-12));
  }
  sum(square(full)).backward();
  for (const Variable& one : parameters(model)) CHECK(max(abs(one.gradient().value())).item() > 0);

  ForgettingAttention one(ScaledDotProduct{}, heads, g);
  const Variable x = noise({1, 3, 8});
  Cache other;
  CHECK_THROWS_WITH(one(x, x, x, {}, {.memory = &other}),
                    "ForgettingAttention: between keys of another text (.memory) stand no gates");
  CHECK_THROWS_WITH(one(x, x, x, {}, {.offset = 2}),
                    Catch::Matchers::ContainsSubstring("queries up to position 4 for keys (1, 2, 3, 4)"));
}

TEST_CASE("a cache: numbers of tokens leave with their keys") {
  KeyValueCache cache;
  const Variable keys = noise({2, 1, 5, 3});
  cache.append(keys, keys);
  cache.append_numbers(f64({{{{0}, {1}}}, {{{5}, {6}}}}));
  cache.append_numbers(f64({{{{2}, {3}, {4}}}, {{{7}, {8}, {9}}}}));
  cache.keep_ends(1, 2);
  cache.select(tensor({1, 0}, DType::i64));
  CHECK(to_vector(cache.numbers.value()) == std::vector<double>{5, 8, 9, 0, 3, 4});
}

}  // namespace regard::nn

// What attention costs in multiply-adds, counted in the graph that was recorded.
#include "nn/tools/cost/cost.h"

#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {
namespace {

double multiply_adds(const Variable& y) { return cost(y).total.multiply_adds; }

struct HeadsCost {
  double multiply_adds;
  std::int64_t weights;
};
HeadsCost of_heads(std::int64_t heads, std::int64_t n, std::int64_t model) {
  Generator g(1);
  MultiHeadAttention attention(ScaledDotProduct{}, {.model = model, .heads = heads, .bias = false}, g);
  const Variable x = noise({1, n, model}, 1, DType::f32);
  const auto [output, weights] = attention(x, x, x);
  return {multiply_adds(output), weights.numel()};
}

}  // namespace

TEST_CASE("cost: products are counted, each once") {
  const Variable a = parameter(noise({2, 3, 5})), b = parameter(noise({2, 5, 7})), w = parameter(noise({4, 5}));
  CHECK(multiply_adds(matmul(a, b)) == 2 * 3 * 5 * 7);
  CHECK(multiply_adds(linear(a, w)) == 2 * 3 * 5 * 4);
  const Variable shared = linear(a, w);
  CHECK(multiply_adds(shared * shared + tanh(shared)) == 2 * 3 * 5 * 4);
}

TEST_CASE("cost: heads cost no multiply-adds and save none: 4·n·E² + 2·n²·E for any number of them") {
  for (const std::int64_t n : {3, 10, 20})
    for (const std::int64_t heads : {1, 2, 4, 8}) {
      const std::int64_t E = 64;
      const HeadsCost found = of_heads(heads, n, E);
      CHECK(found.multiply_adds == 4 * n * E * E + 2 * n * n * E);
      CHECK(found.weights == heads * n * n);  // and as many exponentials
    }
}

TEST_CASE("cost: a layer takes 12·n·E² multiply-adds for its rows and 2·n²·E for pairs, as many at n = 6·E") {
  const auto of_layer = [](std::int64_t n, std::int64_t E) {
    Generator g(1);
    EncoderLayer layer(ScaledDotProduct{},
                       {.model = E, .heads = 1, .hidden = 4 * E, .placement = NormPlacement::pre, .bias = false}, g);
    return multiply_adds(layer(noise({1, n, E}, 1, DType::f32)).output);
  };
  CHECK(of_layer(3, 2) == 144 + 36);
  CHECK(of_layer(10, 16) == 12 * 10 * 16 * 16 + 2 * 10 * 10 * 16);
  CHECK(of_layer(12, 2) == 2 * (2 * 12 * 12 * 2));
}

}  // namespace regard::nn

#include "nn/attention/attention.h"

#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/catch.h"

namespace regard::nn {

TEST_CASE("attention: rows of a masked softmax, numbers known to four digits") {
  const Tensor scores = tensor({{{0.4140, -1.1542, -1.2127, 0.6286}, {-0.6033, 0.5189, -1.4756, -0.0650}},
                                {{-0.1864, 0.5557, 0.1935, -1.2823}, {0.1995, -1.6036, 1.3123, -0.0660}}},
                               DType::f64);
  const Tensor expected = tensor(
      {{{0.8275, 0.1725, 0, 0}, {0.2456, 0.7544, 0, 0}}, {{0.2192, 0.4604, 0.3205, 0}, {0.2377, 0.0392, 0.7232, 0}}},
      DType::f64);
  const Tensor keep = Mask::valid_lengths({2, 3}).resolve(scores.shape(), DType::f64).keep;
  CHECK(largest_difference(masked_softmax(scores, 1, keep), expected) < 0.5001e-4);
}

TEST_CASE("attention: self-attention of three words, by hand") {
  const Variable x = tensor({{.7, .8}, {1.9, 2.2}, {3.1, 3.6}}, DType::f64);
  Attention unscaled(ScaledDotProduct{.scale = 1}), scaled(ScaledDotProduct{});
  const auto first = [](const Variable& all) { return select(all.value(), 0, 0); };
  const auto close = [](const Tensor& a, const Tensor& b) { return largest_difference(a, b) < 0.5001e-6; };
  const auto [plain, plain_weights] = unscaled(x, x, x);
  CHECK(close(first(plain_weights), tensor({.017094, .121356, .861549}, DType::f64)));
  CHECK(close(first(plain), tensor({2.913346, 3.382237}, DType::f64)));
  const auto [output, weights] = scaled(x, x, x);
  CHECK(close(first(weights), tensor({.047649, .190526, .761825}, DType::f64)));
  CHECK(close(first(output), tensor({2.757012, 3.199847}, DType::f64)));
}

}  // namespace regard::nn

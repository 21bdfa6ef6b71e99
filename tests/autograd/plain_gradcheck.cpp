// The gradient check in its simplest form: where it is right, and where it takes the others to be right.
#include "autograd/gradcheck/plain.h"

#include "autograd/all.h"
#include "tests/catch.h"
#include "tests/given.h"

using namespace regard;
using gradchecks::Function;
using gradchecks::plain_gradcheck;

namespace {

constexpr OpInfo half_softmax{"half_softmax", "softmax x", "∂x = y·g"};

// Its rule has lost the sum: ∂x = y·(g − Σ g·y) is right.
Variable without_sum(const Variable& x) {
  return record(half_softmax, {x}, softmax(x.value(), -1),
                [](const Variable& grad, const Saved& saved) { return gradients(saved.output * grad); });
}

}  // namespace

TEST_CASE("plain gradcheck: right rules are within rounding, and a wrong one is not") {
  const Tensor a = noise({2, 3}, 1, DType::f64), b = noise({3, 4}, 2, DType::f64), c = noise({2, 4}, 3, DType::f64);
  const Function product = [](const auto& in) { return tanh(matmul(in[0], in[1])); };
  CHECK(plain_gradcheck(product, {a, b}, c) < 1e-7);
  CHECK(plain_gradcheck([](const auto& in) { return softmax(in[0], -1); }, {b}, noise({3, 4}, 4, DType::f64)) < 1e-6);
  CHECK(plain_gradcheck([](const auto& in) { return without_sum(in[0]); }, {b}, noise({3, 4}, 4, DType::f64)) > 0.1);
}

TEST_CASE("plain gradcheck: it blames right rules where rounding or a bend is large, which gradcheck tells apart") {
  const Function small = [](const auto& in) { return in[0] * (1 + erf(in[0])); };
  const std::vector<Tensor> far{tensor({-4.2}, DType::f64)};
  CHECK(plain_gradcheck(small, far, ones({1}, DType::f64)) > 1e-5);  // 0.015 %: ten digits of 1 + erf x have cancelled
  CHECK(gradcheck(small, {far[0]}).verdict == gradchecks::Verdict::pass);

  const Function bent = [](const auto& in) { return abs(in[0]); };
  const std::vector<Tensor> near_0{tensor({1e-6}, DType::f64)};
  CHECK(plain_gradcheck(bent, near_0, ones({1}, DType::f64)) > 0.5);
  CHECK(gradcheck(bent, {near_0[0]}).verdict == gradchecks::Verdict::kink);
}

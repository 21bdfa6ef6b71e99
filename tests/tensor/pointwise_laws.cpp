// Laws the functions of one number obey everywhere: no table needed.
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"
#include "tests/catch.h"

#include <cmath>
#include <functional>

namespace regard {

namespace {

using Function = std::function<Tensor(const Tensor&)>;

const Tensor grid = linspace(-30, 30, 6001, DType::f64);  // steps of 0.01
const Tensor one = tensor(1, DType::f64);

double error(const Tensor& a, const Tensor& b) { return largest_difference(a, b); }
Tensor like_grid(const Tensor& x) { return expand(x, grid.shape()); }

}  // namespace

TEST_CASE("pointwise laws: reflections") {
  CHECK(error(sigmoid(grid) + sigmoid(-grid), like_grid(one)) < 1e-15);
  CHECK(error(softplus(grid) - softplus(-grid), grid) < 1e-14);
  CHECK(error(silu(grid) - silu(-grid), grid) < 1e-14);
  CHECK(error(gelu(grid) - gelu(-grid), grid) < 1e-14);
  CHECK(identical(tanh(-grid), -tanh(grid)));
  CHECK(identical(erf(-grid), -erf(grid)));
  CHECK(identical(relu(grid) + relu(-grid), abs(grid)));
}

TEST_CASE("pointwise laws: functions in terms of one another") {
  CHECK(error(square(sin(grid)) + square(cos(grid)), like_grid(one)) < 1e-15);
  CHECK(error(log(exp(grid)), grid) < 1e-14);
  CHECK(allclose(square(sqrt(exp(grid))), exp(grid), 1e-15, 0));
  CHECK(allclose(rsqrt(exp(grid)), 1 / sqrt(exp(grid)), 1e-15, 0));
  CHECK(error(tanh(grid), 2 * sigmoid(2 * grid) - 1) < 1e-15);
  CHECK(allclose(exp(softplus(grid)), 1 + exp(grid), 1e-13, 0));
  CHECK(error(leaky_relu(grid, 0.2), relu(grid) - 0.2 * relu(-grid)) < 1e-15);
}

TEST_CASE("pointwise laws: small results keep their digits") {
  // The first term of the series: σ(−x) ≈ e^−x, softplus(−x) ≈ e^−x, Φ(−x) ≈ e^(−x²/2)/(x√2π)·(1 − 1/x² + 3/x⁴).
  CHECK(sigmoid(tensor(-100, DType::f64)).item() == Approx(std::exp(-100)).epsilon(1e-14));
  CHECK(softplus(tensor(-100, DType::f64)).item() == Approx(std::exp(-100)).epsilon(1e-14));
  const double tail = -std::exp(-200) / std::sqrt(2 * 3.14159265358979323846) * (1 - 1.0 / 400 + 3.0 / 160000);
  CHECK(gelu(tensor(-20, DType::f64)).item() == Approx(tail).epsilon(1e-6));
  // ½x·(1 + tanh u) = x/(1 + e^−2u), a quotient that loses no digits.
  for (const double x : {-5.0, -6.0, -8.0}) {
    const double u = std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x);
    CHECK(gelu(tensor(x, DType::f64), GeluForm::tanh).item() == Approx(x / (1 + std::exp(-2 * u))).epsilon(1e-13));
  }
}

TEST_CASE("pointwise laws: the two forms of gelu are within 5e-4 of each other, and no closer than 4e-4") {
  const double difference = error(gelu(grid, GeluForm::erf), gelu(grid, GeluForm::tanh));
  CHECK(difference < 5e-4);
  CHECK(difference > 4e-4);
}

TEST_CASE("pointwise laws: f32 is f64, rounded") {
  const std::pair<const char*, Function> functions[] = {
      {"exp", exp},
      {"sqrt", sqrt},
      {"square", square},
      {"sin", sin},
      {"cos", cos},
      {"tanh", tanh},
      {"erf", erf},
      {"rsqrt", rsqrt},
      {"log", log},
      {"sigmoid", sigmoid},
      {"softplus", softplus},
      {"silu", silu},
      {"relu", relu},
      {"gelu", [](const Tensor& x) { return gelu(x); }},
      {"gelu, tanh form", [](const Tensor& x) { return gelu(x, GeluForm::tanh); }},
      {"leaky_relu", [](const Tensor& x) { return leaky_relu(x); }},
  };
  const Tensor x = to(grid, DType::f32);  // both see these numbers
  for (const auto& [name, f] : functions) {
    CAPTURE(name);
    CHECK(allclose(f(x), f(to(x, DType::f64)), 2e-6, 2e-6));
  }
}

TEST_CASE("pointwise laws: sqrt is rounded correctly") {
  const Tensor x = arange(1, 1000);
  for (std::int64_t i = 0; i < x.numel(); ++i)
    CHECK(sqrt(select(x, 0, i)).item() == double{std::sqrt(static_cast<float>(i + 1))});
}

TEST_CASE("pointwise laws: views and packed copies give the same bits") {
  const Tensor block = reshape(slice(grid, 0, 0, 6000), {20, 300});
  for (const Tensor& view : {transpose(block), slice(block, 1, 3, to_end, 7), flip(block, 0),
                             expand(slice(block, 0, 2, 3), {4, 300}), select(block, 1, 5)})
    for (const Function& f : {Function(exp), Function(tanh), Function(erf), Function(sigmoid)})
      CHECK(identical(f(view), f(contiguous(view))));
}

TEST_CASE("pointwise laws: monotonic functions do not step back") {
  const auto never_falls = [](const Tensor& y) { return min(slice(y, 0, 1) - slice(y, 0, 0, -1)).item() >= 0; };
  for (const Tensor& x : {grid, to(grid, DType::f32)}) {
    CHECK(never_falls(exp(x)));
    CHECK(never_falls(tanh(x)));
    CHECK(never_falls(erf(x)));
    CHECK(never_falls(sigmoid(x)));
    CHECK(never_falls(softplus(x)));
  }
}

}  // namespace regard

#include "nn/init.h"

#include "autograd/all.h"
#include "tests/catch.h"

#include <cmath>

namespace regard::nn::init {

namespace {

constexpr double margin = 0.02;  // relative; a variance of 100 000 numbers has a deviation of at most 0.0045

void check(const Tensor& w, double variance, bool bounded) {
  const Tensor x = to(w, DType::f64);
  CHECK(mean(x).item() == Approx(0).margin(6 * std::sqrt(variance / static_cast<double>(x.numel()))));
  CHECK(var(x).item() == Approx(variance).epsilon(margin));
  const double bound = std::sqrt(3 * variance), largest = max(abs(x)).item();
  if (bounded) {
    CHECK(largest <= bound * (1 + 1e-6));
    CHECK(largest > 0.99 * bound);
  } else {
    CHECK(largest > 1.5 * bound);
  }
}

}  // namespace

TEST_CASE("init: what a weight sums over, and what sums over it") {
  CHECK(fans({4, 3}).in == 3);
  CHECK(fans({4, 3}).out == 4);
  CHECK(fans({4, 3, 5, 2}).in == 30);
  CHECK(fans({4, 3, 5, 2}).out == 40);
}

TEST_CASE("init: each has the variance it promises, and the uniform ones its bound") {
  Generator g(1);
  const Shape shape{200, 50, 10};  // fan in 500, fan out 2000
  check(xavier_uniform(shape, g), 2 / 2500.0, true);
  check(kaiming_normal(shape, g, 1, DType::f64), 1 / 500.0, false);
  check(layer_default(shape, 500, g, DType::f64), 1 / 1500.0, true);
  CHECK(kaiming_normal(shape, g, 1, DType::f64).dtype() == DType::f64);
}

TEST_CASE("init: with Kaiming's gain a deep relu network keeps its signals alive") {
  Generator g(1);
  Variable x = regard::normal({64, 256}, g);
  for (int layer = 0; layer < 20; ++layer) x = relu(matmul(x, transpose(Variable(kaiming_normal({256, 256}, g)))));
  const double size = mean(square(x)).item();  // 1 for infinitely wide layers; without the gain, 2⁻²⁰
  CHECK(size > 0.2);
  CHECK(size < 5);
}

}  // namespace regard::nn::init

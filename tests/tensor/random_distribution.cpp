// Are the numbers distributed as they claim? The seeds are fixed, so nothing here is left to chance.
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/order.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/random/random.h"
#include "tensor/view.h"
#include "tests/catch.h"

#include <cmath>

namespace regard {

namespace {

constexpr std::int64_t draws = 100000;
const double root_draws = std::sqrt(static_cast<double>(draws));

// Kolmogorov and Smirnov's distance between the sample and a distribution function, times √n. Chance alone exceeds
// 1.95 once in a thousand times.
template <class Distribution>
double kolmogorov_smirnov(const Tensor& sample, Distribution distribution) {
  const auto sorted = to_vector(sort(sample, 0));
  double distance = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double p = distribution(sorted[i]), rank = static_cast<double>(i);
    distance = std::max({distance, (rank + 1) / draws - p, p - rank / draws});
  }
  return distance * root_draws;
}

double mean_of(const Tensor& x) { return mean(x).item(); }

// The correlation of each number with the one `lag` places on, times √n: normal, if they are independent.
double correlation(const Tensor& x, std::int64_t lag) {
  const Tensor centred = x - mean(x);
  return mean_of(slice(centred, 0, 0, -lag) * slice(centred, 0, lag)) / var(x).item() * root_draws;
}

}  // namespace

TEST_CASE("random distribution: uniform") {
  for (DType dtype : {DType::f32, DType::f64}) {
    Generator generator(101);
    const Tensor x = uniform({draws}, generator, -2, 4, dtype);
    CHECK(kolmogorov_smirnov(x, [](double v) { return (v + 2) / 6; }) < 1.95);
    CHECK(std::abs(mean_of(x) - 1) < 4 * std::sqrt(3.0) / root_draws);  // a deviation of √3: 6/√12
    CHECK(var(x).item() == Approx(3).epsilon(0.02));
    CHECK(min(x).item() >= -2);
    CHECK(max(x).item() < 4);
  }
}

TEST_CASE("random distribution: normal") {
  for (DType dtype : {DType::f32, DType::f64}) {
    Generator generator(102);
    const Tensor x = normal({draws}, generator, 0, 1, dtype);
    CHECK(kolmogorov_smirnov(x, [](double v) { return 0.5 * std::erfc(-v / std::sqrt(2.0)); }) < 1.95);
    // The moments 0, 1, 0, 3, each within four of its own standard deviations: √1, √2, √15, √96.
    CHECK(std::abs(mean_of(x)) * root_draws < 4);
    CHECK(std::abs(mean_of(square(x)) - 1) * root_draws < 4 * std::sqrt(2.0));
    CHECK(std::abs(mean_of(square(x) * x)) * root_draws < 4 * std::sqrt(15.0));
    CHECK(std::abs(mean_of(square(square(x))) - 3) * root_draws < 4 * std::sqrt(96.0));
    CHECK(max(abs(x)).item() > 3.5);  // it has tails: five in ten thousand lie beyond
  }
}

TEST_CASE("random distribution: normal with a mean and a deviation") {
  Generator a(103), b(103);
  const Tensor x = normal({draws}, a, 5, 0.25, DType::f64), z = normal({draws}, b, 0, 1, DType::f64);
  CHECK(to_vector(x) == to_vector(5 + 0.25 * z));
  Generator c(1);
  CHECK(to_vector(normal({3}, c, 7, 0)) == std::vector<double>{7, 7, 7});
}

TEST_CASE("random distribution: neighbours, and streams of neighbouring seeds, are independent") {
  Generator generator(104), neighbour(105);
  const Tensor x = normal({draws}, generator, 0, 1, DType::f64), y = normal({draws}, neighbour, 0, 1, DType::f64);
  for (std::int64_t lag : {1, 2, 3, 64, 4096}) {
    CAPTURE(lag);
    CHECK(std::abs(correlation(x, lag)) < 4);
  }
  CHECK(std::abs(mean_of(x * y)) * root_draws < 4);
}

}  // namespace regard

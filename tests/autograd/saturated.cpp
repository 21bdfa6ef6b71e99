// Gradients where one weight is nearly 1. There 1 − weight is a small number, and a difference of large ones loses it.
// Here it is computed as σ(−gap), for two scores that are `gap` apart.
#include "autograd/all.h"
#include "tests/autograd/leaf.h"
#include "tests/catch.h"

#include <cmath>
#include <functional>

namespace regard {
namespace {

double small_share(double gap) { return 1 / (1 + std::exp(gap)); }

// The gradient of f at (gap, 0), and at (0, gap) behind 30 scores of −∞, so that the last of a row is meant too: there
// both lie 400 lower, since only their difference counts.
template <class F>
void check_gradient(DType dtype, const F& f, const std::function<std::pair<double, double>(double gap)>& expected) {
  for (const double gap : {1.0, 4.0, 8.0, 12.0, 17.0, 25.0, 40.0, 80.0})
    for (const bool winner_last : {false, true}) {
      const std::int64_t winner = winner_last ? 31 : 0, other = winner_last ? 30 : 1;
      Numbers x(winner_last ? 32 : 2, -INFINITY);
      const double low = winner_last ? -400 : 0;
      x[static_cast<std::size_t>(winner)] = low + gap, x[static_cast<std::size_t>(other)] = low;
      const Variable z = parameter(tensor(x, {std::ssize(x)}, dtype));
      f(z, winner, other).backward();
      const auto [first, second] = expected(gap);
      const double tolerance = dtype == DType::f32 ? 1e-4 : 1e-11;
      CAPTURE(gap, winner_last);
      const Numbers g = to_vector(z.gradient().value());
      const double at_winner = g[static_cast<std::size_t>(winner)], at_other = g[static_cast<std::size_t>(other)];
      CHECK(std::abs(at_winner - first) <= tolerance * std::abs(first));
      CHECK(std::abs(at_other - second) <= tolerance * std::abs(second));
    }
}

}  // namespace

TEST_CASE("saturated: the gradient of a weight near 1 keeps its digits") {
  const DType dtype = GENERATE(DType::f32, DType::f64);
  const auto slope = [](double gap) {
    const double s = small_share(gap);
    return std::pair{s * (1 - s), -s * (1 - s)};
  };
  check_gradient(
      dtype, [](const Variable& z, std::int64_t winner, std::int64_t) { return select(softmax(z, 0), 0, winner); },
      slope);
  check_gradient(
      dtype,
      [](const Variable& z, std::int64_t winner, std::int64_t) {
        return select(masked_softmax(z, 1, ones(z.shape(), z.dtype())), 0, winner);
      },
      slope);
}

TEST_CASE("saturated: so does that of a logarithm of it") {
  const DType dtype = GENERATE(DType::f32, DType::f64);
  const auto slope = [](double gap) { return std::pair{small_share(gap), -small_share(gap)}; };
  check_gradient(
      dtype, [](const Variable& z, std::int64_t winner, std::int64_t) { return select(log_softmax(z, 0), 0, winner); },
      slope);
  check_gradient(
      dtype,
      [](const Variable& z, std::int64_t winner, std::int64_t) {
        return -sum(cross_entropy(unsqueeze(z, 0), full({1}, static_cast<double>(winner), DType::i64)));
      },
      slope);
}

TEST_CASE("logsumexp: its gradients sum to 1, however large the numbers are") {
  for (const double offset : {0.0, 4096.0, 0x1p20, -0x1p20}) {
    const Variable x = parameter(tensor({offset, offset + 1}, DType::f32));
    logsumexp(x, 0).backward();
    CAPTURE(offset);
    const Numbers g = to_vector(x.gradient().value());
    CHECK(g[0] + g[1] == Approx(1).epsilon(1e-6));
    CHECK(g[1] == Approx(1 / (1 + std::exp(-1.0))).epsilon(1e-6));
  }
}

}  // namespace regard

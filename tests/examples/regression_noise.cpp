// Bias and noise of answers, and what is said of them; kernels and their sweep.
#include "examples/trainers/regression_noise.h"
#include "examples/trainers/kernel_shapes.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/random/random.h"
#include "tensor/view.h"
#include "tests/catch.h"

#include <cmath>
#include <string>
#include <vector>

using namespace regard;
using namespace regard::regression;
using Catch::Matchers::ContainsSubstring;

namespace {

// Eight answers at 500 places where the truth is 0.
Tensor answers(double bias, double deviation, std::uint64_t seed) {
  Generator random(seed);
  return normal({8, 500}, random, bias, deviation, DType::f64);
}
const Tensor truth = zeros({500}, DType::f64);

}  // namespace

TEST_CASE("Bias and noise are told apart, and how far chance moves them") {
  const Parts is = parts(tensor({{1, 3}, {3, 5}}, DType::f64), tensor({1, 2}, DType::f64));
  CHECK(is.noise == Approx(std::sqrt(2)));  // each place: ±1 about its mean, and one draw was spent on it
  CHECK(is.bias == Approx(std::sqrt((1 + 4) / 2.0 - 1)));  // means 2 and 4, less half the square of the noise
  CHECK(parts(answers(0.3, 0.2, 1), truth).bias == Approx(0.3).epsilon(0.05));
  CHECK(parts(answers(0.3, 0.2, 1), truth).noise == Approx(0.2).epsilon(0.05));
  CHECK(uncertainty(answers(0.3, 0.2, 1), truth).noise < 0.01);
}

TEST_CASE("regression claims: more bias, more noise, or neither") {
  const Redraws one{"one w", answers(0.1, 0.1, 1)};
  const auto said = [&](double bias, double deviation) {
    return about_parts({one, {"each", answers(bias, deviation, 2)}}, truth);
  };
  CHECK_THAT(said(0.2, 0.1),
             ContainsSubstring("each (d) has more bias (0.2") && ContainsSubstring("mostly by its bias"));
  CHECK_THAT(said(0.2, 0.1), ContainsSubstring("about as much noise") && !ContainsSubstring("bends"));
  CHECK_THAT(said(0.1, 0.2),
             ContainsSubstring("about as much bias") && ContainsSubstring("more noise (0.198 against 0.100)"));
  CHECK_THAT(said(0.1, 0.2), ContainsSubstring("mostly by noise: it bends to that of its data."));
  CHECK_THAT(said(0.1, 0.2), !ContainsSubstring("mostly by its bias"));
  CHECK_THAT(said(0.05, 0.05), ContainsSubstring("less bias") && ContainsSubstring("less noise"));
  CHECK_THAT(said(0.05, 0.05), ContainsSubstring("It is better."));
  CHECK_THAT(said(0.1, 0.1), ContainsSubstring("neither better nor worse by more than chance"));
}

TEST_CASE("Four kernels of one deviation: their weights sum to one, and far from all keys there are none") {
  const Tensor keys = linspace(-10, 10, 2001, DType::f64);
  const Tensor here = zeros({1}, DType::f64), far = full({1}, 1000, DType::f64);
  for (const Kernel& kernel : four_kernels()) {
    CAPTURE(kernel.name);
    const Tensor weights = weights_of(kernel, here, keys, 1.5);
    CHECK(sum(weights).item() == Approx(1));
    CHECK(std::sqrt(sum(weights * square(unsqueeze(keys, 0))).item()) == Approx(1.5).epsilon(0.01));
    CHECK(std::isnan(sum(weights_of(kernel, far, keys, 1.5)).item()));
  }
}

TEST_CASE("regression claims: whether the width or the shape of a kernel matters more") {
  const std::vector<std::string> names{"boxcar", "Gaussian"};
  const Units units{.of_y = " g"};
  const Sweep by_width{{1, 2, 4}, {{NAN, 1.1, 3}, {2, 1, 3}}}, by_shape{{1, 2, 4}, {{3, 2, 3}, {2, 1, 1.1}}};
  CHECK_THAT(
      about_sweep(names, by_width, units),
      ContainsSubstring("The width matters more than the shape: the best of each differ by 0.1 g, and a Gaussian "
                        "of twice its best width loses 2 g."));
  CHECK_THAT(about_sweep(names, by_width, units), ContainsSubstring("least error is that of the Gaussian kernel"));
  CHECK_THAT(about_sweep(names, by_width, units), ContainsSubstring("the curve begins later: boxcar."));
  CHECK_THAT(about_sweep(names, by_shape, units), ContainsSubstring("The shape matters, too"));
  CHECK_THAT(about_sweep(names, by_shape, units),
             !ContainsSubstring("width matters") && !ContainsSubstring("begins later"));
  const Sweep neither{{1, 2, 4}, {{3, 2, 2}, {3, 2, 2}}};
  CHECK_THAT(about_sweep(names, neither, units), ContainsSubstring("neither shape nor width matters much"));
  CHECK_THAT(about_sweep(names, neither, units), !ContainsSubstring("too") && !ContainsSubstring("least error is"));
  CHECK_THAT(about_sweep(names, by_shape, units), !ContainsSubstring("neither"));
}

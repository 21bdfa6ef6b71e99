// Bias and noise of answers, and what is said of them; kernels and their sweep.
#include "examples/trainers/regression_noise.h"
#include "examples/trainers/kernel_shapes.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/random/random.h"
#include "tensor/view.h"
#include "tests/catch.h"

#include <algorithm>
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
}

TEST_CASE("How far chance moves bias and noise: as far as they scatter when all is drawn again") {
  // A running mean over noisy data: neighbouring answers share some of their noise, and are flatter than the truth.
  const std::int64_t draws = 8, places = 100, seeds = 100;
  const Tensor x = linspace(0, 20, places, DType::f64), curve = sin(x);
  const Tensor smoother = weights_of(four_kernels()[3], x, x, 0.8);
  std::vector<double> biases, noises, said_of_bias, said_of_noise;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Generator random(seed);
    const Tensor data = unsqueeze(curve, 0) + normal({draws, places}, random, 0, 0.5, DType::f64);
    const Tensor fits = matmul(data, transpose(smoother, 0, 1));
    const Parts are = parts(fits, curve), chance = uncertainty(fits, curve);
    biases.push_back(are.bias), noises.push_back(are.noise);
    said_of_bias.push_back(chance.bias), said_of_noise.push_back(chance.noise);
  }
  const auto scatter = [&](const std::vector<double>& values) {
    return std::sqrt(var(tensor(values, {seeds}), 0).item());
  };
  const auto said = [&](const std::vector<double>& values) {
    return std::sqrt(mean(square(tensor(values, {seeds}))).item());
  };
  const double of_bias = said(said_of_bias) / scatter(biases), of_noise = said(said_of_noise) / scatter(noises);
  CAPTURE(of_bias, of_noise);
  CHECK((of_bias > 1 / 1.5 && of_bias < 1.5));
  CHECK((of_noise > 1 / 1.5 && of_noise < 1.5));
}

TEST_CASE("regression claims: more bias, more noise, or neither") {
  const Redraws one{"one w", answers(0.1, 0.1, 1)};
  const auto said = [&](double bias, double deviation) {
    return about_parts({one, {"each", answers(bias, deviation, 2)}}, truth);
  };
  CHECK_THAT(said(0.2, 0.1), ContainsSubstring("With each: more bias (0.2") && ContainsSubstring("mostly by its bias"));
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
  const Sweep by_width{{1, 2, 4}, {{NAN, 1.1, 3}, {2, 1, 3}}, 3}, by_shape{{1, 2, 4}, {{3, 2, 3}, {2, 1, 1.1}}, 1.1};
  CHECK_THAT(about_sweep(names, by_width),
             ContainsSubstring("The best of each differ by 0.1, and a Gaussian of twice its best width loses 2."));
  CHECK_THAT(about_sweep(names, by_width), ContainsSubstring("least error is that of the Gaussian kernel"));
  CHECK_THAT(about_sweep(names, by_width), ContainsSubstring("the curve begins later: boxcar."));
  CHECK_THAT(about_sweep(names, by_shape), !ContainsSubstring("begins later"));
  const Sweep neither{{1, 2, 4}, {{3, 2, 2}, {3, 2, 2}}, 2};
  CHECK_THAT(about_sweep(names, neither), !ContainsSubstring("least error is"));
  CHECK(width_or_shape(by_width) == "the width matters more than the shape");
  CHECK(width_or_shape(by_shape) == "the shape matters, too");
  CHECK(width_or_shape(neither) == "neither shape nor width matters much here");
}

TEST_CASE("A Gaussian of twice its best width is tried, also where the sweep does not go so far") {
  Experiment ex;
  ex.x = linspace(0, 20, 41, DType::f64), ex.test_x = linspace(0.25, 19.75, 40, DType::f64);
  Generator random(1);
  ex.y = 0.5 * sin(0.3 * ex.x) + normal({41}, random, 0, 0.5, DType::f64), ex.test_y = 0.5 * sin(0.3 * ex.test_x);
  const Sweep all = sweep(ex);
  const std::vector<double>& errors = all.errors[3];
  const double best = all.sigmas[static_cast<std::size_t>(std::ranges::min_element(errors) - errors.begin())];
  REQUIRE(2 * best > 1.1 * all.sigmas.back());
  const Tensor wide = squeeze(matmul(weights_of(four_kernels()[3], ex.test_x, ex.x, 2 * best), unsqueeze(ex.y, 1)), 1);
  CHECK(all.gaussian_of_twice_its_width == Approx(std::sqrt(mean(square(wide - ex.test_y)).item())));
  const Sweep three{{1, 2, 3}, {{2, 1.1, 1.2}, {2, 1, 1.1}}, 5}, flat{{1, 2, 3}, {{2, 2, 1.1}, {2, 2, 1}}, 0.75};
  CHECK_THAT(about_sweep({"boxcar", "Gaussian"}, three), ContainsSubstring("of twice its best width loses 4."));
  CHECK_THAT(about_sweep({"boxcar", "Gaussian"}, flat),
             ContainsSubstring("of twice its best width gains 0.25.") && !ContainsSubstring("loses"));
}

TEST_CASE("A kernel that has no answer at any width is left out of what is compared") {
  Experiment ex;  // x = 0…7 and 100, brought to 0…20
  ex.x = tensor({0, 0.2, 0.6, 0.8, 1.2, 1.4}), ex.test_x = tensor({0.4, 1, 20});
  ex.y = tensor({0, 1, 2, 3, 4, 5}), ex.test_y = tensor({1.5, 3.5, 6});
  std::vector<std::string> names;
  for (const Kernel& kernel : four_kernels()) names.push_back(kernel.name);
  const Sweep far = sweep(ex);
  const std::string one = about_sweep(names, far);
  CHECK_THAT(one, !ContainsSubstring("nan") && !ContainsSubstring("begins later: boxcar"));
  CHECK_THAT(one, ContainsSubstring("Only the Gaussian kernel has an answer to every query at some width."));
  CHECK_NOTHROW(kernels_figure(far));

  const std::string two = about_sweep({"a", "b", "Gaussian"}, {{1, 2}, {{NAN, NAN}, {NAN, 3}, {2, 1}}, 2});
  CHECK_THAT(two, ContainsSubstring("The best of each differ by 2,") && ContainsSubstring("begins later: b."));
  CHECK_THAT(two, ContainsSubstring("At no width tried do these have an answer to every query: a."));
  CHECK_THAT(two, ContainsSubstring("least error is that of the Gaussian"));
  const Sweep none{{1, 2}, {{NAN, NAN}, {NAN, NAN}}, NAN};
  CHECK(about_sweep({"boxcar", "Gaussian"}, none) == "No kernel has an answer to every query at any width tried.");
}

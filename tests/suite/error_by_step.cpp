// What the picture of errors against steps shows, for functions whose errors are known.

#include "tests/cases/error_by_step.h"

#include "tests/catch.h"

#include <algorithm>
#include <cmath>

using namespace regard;
using cases::ErrorByStep;

namespace {

// At twenty places, so that no step is the best one by chance.
std::vector<ErrorByStep> errors_of(const gradchecks::Function& f, int order) {
  return cases::errors_by_step({"", nullptr, {Variable(linspace(1, 2, 20, DType::f64))}, f}, order, 0);
}

}  // namespace

// ((x + t)⁴ − (x − t)⁴)/2t = 4x³ + 4x·t²: with t = h·x, as x is above 1, the error is h² times the slope.
TEST_CASE("error by step: wide steps cost what the bend of the function says") {
  const auto curves = errors_of([](const cases::In& in) { return square(square(in[0])); }, 1);
  REQUIRE(curves.size() == 2);
  const ErrorByStep &f64 = curves[0], &f32 = curves[1];
  CHECK(f64.dtype == DType::f64);
  CHECK(f32.dtype == DType::f32);
  CHECK(f64.bend == Approx(1).epsilon(1e-3));
  CHECK(f64.steps.back() == 1);
  CHECK(f64.errors.back() == Approx(1));
  CHECK(f32.errors.back() == Approx(1).epsilon(1e-5));
}

// A result x⁴ is rounded by up to u·x⁴, with u = 2⁻⁵³ in f64 and 2⁻²⁴ in f32. A difference of two of them is divided by
// 2h·x and by the slope 4x³: an error of about u/8h. Squaring twice rounds some more.
TEST_CASE("error by step: narrow steps cost what rounding says, and the best one is where the laws put it") {
  const auto curves = errors_of([](const cases::In& in) { return square(square(in[0])); }, 1);
  const double unit[] = {std::ldexp(1, -53), std::ldexp(1, -24)};
  for (std::size_t i = 0; i < 2; ++i) {
    const ErrorByStep& curve = curves[i];
    CHECK(curve.rounding > unit[i] / 40);
    CHECK(curve.rounding < unit[i]);
    const auto least = std::ranges::min_element(curve.errors) - curve.errors.begin();
    const double best = curve.steps[static_cast<std::size_t>(least)];
    CHECK(best > curve.best_step() / 10);
    CHECK(best < curve.best_step() * 10);
    CHECK(curve.best_step() == Approx(std::cbrt(curve.rounding / 2)).epsilon(1e-3));
  }
}

// The gradient c·2x of c·x² is linear in x and in c, so no step is too wide.
TEST_CASE("error by step: second order is that of the gradient") {
  const auto curves = errors_of([](const cases::In& in) { return square(in[0]); }, 2);
  REQUIRE(curves.size() == 4);
  CHECK(curves[2].order == 2);
  CHECK(curves[2].errors.back() < 1e-14);
  CHECK(curves[3].errors.back() < 1e-6);
}

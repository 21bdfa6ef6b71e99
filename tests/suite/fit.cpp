// The slope of a polynomial through samples, and how far it may be off.
#include "autograd/gradcheck/fit.h"
#include "tensor/create.h"
#include "tensor/random/random.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace regard;
using gradchecks::FittedSlope;
using gradchecks::sample_count;
using gradchecks::Samples;

TEST_CASE("fit: of a polynomial of degree four it finds the slope, and no noise") {
  const double h = 0.3;
  Samples y;
  for (int i = 0; i < sample_count; ++i) {
    const double t = h * (i + 1) / sample_count;
    y[static_cast<std::size_t>(i)] = 5 - 2 * t + 7 * t * t - 11 * t * t * t + 3 * t * t * t * t;
  }
  const FittedSlope found = gradchecks::fitted_slope(y, h);
  CHECK(found.slope == Approx(-2).epsilon(1e-9));
  CHECK(found.noise < 1e-9);
}

// In samples of noise alone, of which each draw has another slope, the mean square of the slopes is the square of the
// standard error, which each draw tells by itself.
TEST_CASE("fit: the noise that it tells is 30 standard errors of the slope") {
  constexpr int draws = 4000;
  Generator generator(1);
  const std::vector<double> noise = to_vector(normal({draws, sample_count}, generator, 0, 1, DType::f64));
  double slopes = 0, told = 0;
  for (int n = 0; n < draws; ++n) {
    Samples y;
    std::copy_n(noise.begin() + n * sample_count, sample_count, y.begin());
    const FittedSlope found = gradchecks::fitted_slope(y, 0.1);
    slopes += found.slope * found.slope;
    told += found.noise * found.noise;
  }
  CHECK(told / slopes == Approx(30 * 30).epsilon(0.1));
}

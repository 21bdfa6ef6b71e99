// How near is near: a regression whose points and width are set by hand, and three ways to ask how good it is.
#include "examples/lab/functions.h"
#include "nn/all.h"

#include <cmath>

namespace regard::lab {
namespace {

Tensor truth(const Tensor& x) { return 2 * sin(x) + x; }

struct Points {
  Tensor x, y;
};
Points random_points(int count, int seed) {
  Generator random(static_cast<std::uint64_t>(seed));
  const Tensor x = sort(uniform({count}, random, 0, 6, DType::f64), 0);
  return {x, truth(x) + normal({count}, random, 0, 0.5, DType::f64)};
}
Points given(const double* numbers, int count) {
  const std::vector<double> all(numbers, numbers + count);
  const Tensor pairs = tensor(all, {count / 2, 2}, DType::f64);
  return {contiguous(select(pairs, 1, 0)), contiguous(select(pairs, 1, 1))};
}

// The error on the points themselves, with each left out, and on 400 new ones; of each kind one for each of so many
// widths: σ, σ/√2, σ/2, … A Gaussian of half the variance is the square of the one before, so only the first one takes
// powers of e, and all of them are there while a hand drags a point.
void add_errors(Answer& out, const Points& points, double width, int widths = 1) {
  static const Points fresh = random_points(400, 1000);
  const std::int64_t count = points.x.size(0);
  const Tensor values = stack({points.y, ones_like(points.y)}, 1), blind = 1e9 * eye(count, DType::f64);
  const auto add = [&](const Points& at, const Tensor& hidden) {
    const Tensor far = square(unsqueeze(at.x, 1) - points.x) + hidden;
    Tensor weights = exp((min(far, -1, KeepDim::yes) - far) / (2 * width * width));
    for (int n = 0; n < widths; ++n) {
      const Tensor sums = matmul(weights, values);
      out.add(mean(square(select(sums, 1, 0) / select(sums, 1, 1) - at.y)));
      weights = square(weights);
    }
  };
  add(points, zeros({}, DType::f64));
  add(points, blind);
  add(fresh, zeros({}, DType::f64));
}

}  // namespace
}  // namespace regard::lab

using namespace regard;
using lab::Answer, lab::answer;

// Points on y = 2 sin x + x with noise of deviation ½: x, y, x, y, …
LAB int near_points(int count, int seed) {
  return answer([&](Answer& out) {
    const auto points = lab::random_points(count, seed);
    out.add(stack({points.x, points.y}, 1));
  });
}

// The fit at 0, 0.005, …, 6 (1201 numbers, two for each smallest width); the weights that a query at `query` gives to
// the points, and its prediction; the errors on the points themselves, with each left out, and on 400 new points.
LAB int near_fit(const double* points, int count, double width, double query) {
  return answer([&](Answer& out) {
    const NoGrad no_grad;
    const auto all = lab::given(points, count);
    nn::NadarayaWatson fit(nn::GaussianKernel::fixed(width), all.x, all.y);
    out.add(fit(linspace(0, 6, 1201, DType::f64)).output.value());
    const auto at = fit(tensor({query}, DType::f64));
    out.add(at.weights.value());
    out.add(at.output.value());
    lab::add_errors(out, all, width);
  });
}

// The errors for 17 widths, 10^0.5·2^(−n/2), of each kind; and then for 17 between them, which are 2^(−1/4) as wide.
LAB int near_curves(const double* points, int count) {
  return answer([&](Answer& out) {
    for (const double width : {std::pow(10, 0.5), std::pow(10, 0.5) * std::pow(2, -0.25)})
      lab::add_errors(out, lab::given(points, count), width, 17);
  });
}

// One step down ∂loss/∂(log w), w = 1/width: the width after it, and the slope. Points see themselves, or are left out.
LAB int near_learn(const double* points, int count, double width, int left_out) {
  return answer([&](Answer& out) {
    const auto all = lab::given(points, count);
    const Variable log_w = parameter(full({}, -std::log(width), DType::f64));
    nn::NadarayaWatson fit(nn::GaussianKernel{1, exp(log_w)}, all.x, all.y);
    const auto training = left_out ? nn::RegressionTraining::leave_one_out : nn::RegressionTraining::leaking;
    const double slope = grad({fit.loss(training)}, {log_w})[0].item();
    out.add(std::exp(-(log_w.item() - std::clamp(0.4 * slope, -0.08, 0.08))));
    out.add(slope);
  });
}

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
Points given(const double* numbers, int count, DType dtype = DType::f64) {
  const std::vector<double> all(numbers, numbers + count);
  const Tensor pairs = tensor(all, {count / 2, 2}, dtype);
  return {contiguous(select(pairs, 1, 0)), contiguous(select(pairs, 1, 1))};
}

// Fused: with one feature, tables of all pairs take longer to walk than to compute.
nn::NadarayaWatson regression(const Points& points, double width) {
  nn::NadarayaWatson fit(nn::GaussianKernel::fixed(width), points.x, points.y);
  fit.attention.method = nn::Method::fused;
  return fit;
}

struct Errors {
  double leaking, left_out, on_new_points;
};
Errors errors(const Points& points, double width) {
  static const Points fresh = random_points(400, 1000);
  nn::NadarayaWatson fit = regression(points, width);
  const auto as_points = [&](const Tensor& numbers) { return to(numbers, points.x.dtype()); };
  return {fit.loss(nn::RegressionTraining::leaking).item(), fit.loss().item(),
          mean(square(squeeze(fit(as_points(fresh.x)).output.value(), 1) - as_points(fresh.y))).item()};
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
    nn::NadarayaWatson fit = lab::regression(all, width);
    out.add(fit(linspace(0, 6, 1201, DType::f64)).output.value());
    fit.attention.method = nn::Method::composed;  // which gives the weights, too
    const auto at = fit(tensor({query}, DType::f64));
    out.add(at.weights.value());
    out.add(at.output.value());
    const auto errors = lab::errors(all, width);
    for (const double one : {errors.leaking, errors.left_out, errors.on_new_points}) out.add(one);
  });
}

// The three errors for 41 widths, 10^−2 … 10^0.5: a million powers while a hand drags a point. So they are f32, in which
// four are computed at a time.
LAB int near_curves(const double* points, int count) {
  return answer([&](Answer& out) {
    const NoGrad no_grad;
    const auto all = lab::given(points, count, DType::f32);
    for (int n = 0; n <= 40; ++n) {
      const auto errors = lab::errors(all, std::pow(10, -2 + n / 16.0));
      for (const double one : {errors.leaking, errors.left_out, errors.on_new_points}) out.add(one);
    }
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

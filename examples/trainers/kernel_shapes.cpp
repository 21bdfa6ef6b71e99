#include "examples/trainers/kernel_shapes.h"

#include "examples/trainers/claims.h"
#include "examples/trainers/regression_figures.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace regard::regression {

namespace {

constexpr std::int64_t most_queries = 250;

Tensor boxcar(const Tensor& u) { return less(abs(u), std::sqrt(3)); }
Tensor triangular(const Tensor& u) { return maximum(1 - abs(u) / std::sqrt(6), 0); }
Tensor epanechnikov(const Tensor& u) { return maximum(1 - square(u) / 5, 0); }
Tensor gaussian(const Tensor& u) { return exp(-0.5 * square(u)); }

// The best of a curve, with gaps in it.
std::size_t least(const std::vector<double>& errors) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (!(errors[best] <= errors[i]) && std::isfinite(errors[i])) best = i;
  return best;
}

double least_error(const std::vector<double>& errors) { return errors[least(errors)]; }

}  // namespace

const std::vector<Kernel>& four_kernels() {
  static const std::vector<Kernel> all{
      {"boxcar", boxcar}, {"triangular", triangular}, {"Epanechnikov", epanechnikov}, {"Gaussian", gaussian}};
  return all;
}

Tensor weights_of(const Kernel& kernel, const Tensor& queries, const Tensor& keys, double sigma) {
  const Tensor near = to(kernel.shape((unsqueeze(queries, 1) - unsqueeze(keys, 0)) / sigma), keys.dtype());
  return near / sum(near, 1, KeepDim::yes);  // 0/0 is NaN
}

Sweep sweep(const Experiment& ex) {
  const std::int64_t every = (ex.test_x.numel() + most_queries - 1) / most_queries;
  const Tensor at = slice(ex.test_x, 0, 0, to_end, every);
  const Tensor wanted = slice(ex.truth.defined() ? ex.truth : ex.test_y, 0, 0, to_end, every);
  Sweep result;
  for (double sigma = 0.02; sigma < 3; sigma *= 1.2) result.sigmas.push_back(sigma);
  const auto error = [&](const Kernel& kernel, double sigma) {
    const Tensor fit = squeeze(matmul(weights_of(kernel, at, ex.x, sigma), unsqueeze(ex.y, 1)), 1);
    return ex.units.y_scale * std::sqrt(mean(square(fit - wanted)).item());
  };
  for (const Kernel& kernel : four_kernels()) {
    result.errors.emplace_back();
    for (const double sigma : result.sigmas) result.errors.back().push_back(error(kernel, sigma));
  }
  const double best = result.sigmas[least(result.errors.back())];
  result.gaussian_of_twice_its_width = error(four_kernels().back(), 2 * best);
  return result;
}

// A Gaussian reaches farther than all others: where not even that has an answer to every query, nothing is compared.
std::string width_or_shape(const Sweep& sweep) {
  std::vector<double> best;  // of those kernels that have one
  for (const std::vector<double>& errors : sweep.errors)
    if (std::isfinite(least_error(errors))) best.push_back(least_error(errors));
  const double harm = sweep.gaussian_of_twice_its_width - least_error(sweep.errors.back());
  if (best.size() < 2 || !std::isfinite(harm)) return "the error over the width";
  const auto [lowest, highest] = std::ranges::minmax(best);
  const double shape = highest - lowest;
  return shape < 0.5 * harm      ? "the width matters more than the shape"
         : shape < 0.02 * lowest ? "neither shape nor width matters much here"
                                 : "the shape matters, too";
}

plot::Figure kernels_figure(const Sweep& sweep) {
  plot::Figure figure({.width = 580, .height = 340});
  plot::Axes& axes = figure.axes().x_logarithmic().x_label("σ, the deviation of the kernel").y_label("error");
  for (std::size_t i = 0; i < sweep.errors.size(); ++i)
    axes.line(sweep.sigmas, sweep.errors[i], {.label = four_kernels()[i].name, .width = 2});
  axes.title(width_or_shape(sweep));
  return figure;
}

std::string about_sweep(const std::vector<std::string>& names, const Sweep& sweep) {
  std::vector<double> best;  // of those kernels that have one
  std::vector<std::string> compared, with_gaps, without;
  for (std::size_t i = 0; i < sweep.errors.size(); ++i) {
    const double error = least_error(sweep.errors[i]);
    if (!std::isfinite(error)) {
      without.push_back(names[i]);
      continue;
    }
    best.push_back(error);
    compared.push_back(names[i]);
    if (std::ranges::any_of(sweep.errors[i], [](double e) { return std::isnan(e); })) with_gaps.push_back(names[i]);
  }
  if (best.empty()) return "No kernel has an answer to every query at any width tried.";

  const auto [lowest, highest] = std::ranges::minmax_element(best);
  const std::string which = compared[static_cast<std::size_t>(lowest - best.begin())];
  const double shape = *highest - *lowest, harm = sweep.gaussian_of_twice_its_width - least_error(sweep.errors.back());
  const auto as_good = std::ranges::count(best, *lowest);
  return told(
      {{best.size() > 1 && std::isfinite(harm),
        fmt::format("The best of each differ by {:.2g}, and a Gaussian of twice its best width {} {:.2g}.", shape,
                    harm < 0 ? "gains" : "loses", std::abs(harm))},
       {best.size() > 1 && as_good == 1, fmt::format("The least error is that of the {} kernel.", which)},
       {best.size() == 1, fmt::format("Only the {} kernel has an answer to every query at some width.", which)},
       {best.size() > 1 && !without.empty(),
        fmt::format("At no width tried do these have an answer to every query: {}.", fmt::join(without, ", "))},
       {!with_gaps.empty(),
        fmt::format("A narrow kernel may reach no key from some query. Then there is no answer, and the curve begins "
                    "later: {}.",
                    fmt::join(with_gaps, ", "))}});
}

}  // namespace regard::regression

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

#include <algorithm>
#include <cmath>

namespace regard::regression {

namespace {

constexpr std::int64_t most_queries = 250;
constexpr double sigma_of_picture = 0.5;  // wide enough to see how shapes differ

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
  for (const Kernel& kernel : four_kernels()) {
    result.errors.emplace_back();
    for (const double sigma : result.sigmas) {
      const Tensor fit = squeeze(matmul(weights_of(kernel, at, ex.x, sigma), unsqueeze(ex.y, 1)), 1);
      result.errors.back().push_back(ex.units.y_scale * std::sqrt(mean(square(fit - wanted)).item()));
    }
  }
  return result;
}

plot::Figure kernels_figure(const Experiment& ex, const Sweep& sweep) {
  const Units& units = ex.units;
  const double sigma = sigma_of_picture;
  const std::string title = fmt::format("Four kernels of deviation σ = {:.2g}{}", sigma * units.x_scale, units.of_x);
  plot::Figure figure({.rows = 3, .columns = 4, .width = 1180, .height = 800, .title = title});
  const Tensor grid = linspace(0, width, 600), y = units.y(ex.y);
  const plot::Color color = plot::hex(0x009e73);
  double highest = 0;
  std::vector<double> sigmas;
  for (const double s : sweep.sigmas) sigmas.push_back(s * units.x_scale);
  for (const auto& errors : sweep.errors)
    for (const double error : errors)
      if (std::isfinite(error)) highest = std::max(highest, error);
  for (int i = 0; i < 4; ++i) {
    const Kernel& kernel = four_kernels()[i];
    const Tensor fit = squeeze(matmul(weights_of(kernel, grid, ex.x, sigma), unsqueeze(ex.y, 1)), 1);
    plot::Axes& fits = figure.axes(0, i).title(kernel.name).x_label(units.x_label);
    fits.scatter(units.x(ex.x), y, {.color = color_of_data, .size = 1.2, .alpha = 0.7});
    if (ex.truth.defined()) fits.line(units.x(ex.test_x), units.y(ex.truth), {.color = color_of_truth, .width = 1});
    fits.line(units.x(grid), units.y(fit), {.color = color, .width = 1.8});
    plot::HeatmapOptions options = corner_options(units);
    options.x = "keys", options.y = i == 0 ? "queries" : "", options.square = false;
    figure.axes(1, i).heatmap(in_bins(weights_of(kernel, corner_queries(), ex.x, sigma), ex.x), options);
    const std::vector<double>& errors = sweep.errors[i];
    const std::size_t best = least(errors);
    plot::Axes& axes = figure.axes(2, i).x_logarithmic().y_range(0, 1.05 * highest);
    axes.line(sigmas, errors, {.color = color, .width = 1.8});
    axes.scatter({sigmas[best]}, {errors[best]}, {.color = plot::black, .size = 3.5});
    axes.x_range(sigmas.front(), sigmas.back());
    axes.title(
        fmt::format("least: {}{} at σ = {:.2g}{}", short_number(errors[best]), units.of_y, sigmas[best], units.of_x));
    axes.x_label("σ" + (units.of_x.empty() ? "" : "," + units.of_x));
  }
  figure.axes(0, 0).y_label(units.y_label);
  figure.axes(2, 0).y_label("error" + (units.of_y.empty() ? "" : "," + units.of_y));
  return figure;
}

std::string about_sweep(const std::vector<std::string>& names, const Sweep& sweep, const Units& units) {
  const std::size_t gaussian = sweep.errors.size() - 1;
  std::vector<double> best;
  for (const auto& errors : sweep.errors) best.push_back(errors[least(errors)]);
  const auto [lowest, highest] = std::ranges::minmax_element(best);
  const std::string which = names[static_cast<std::size_t>(lowest - best.begin())];
  // Twice the best width of the Gaussian, as near as the sweep has it.
  const std::size_t at = least(sweep.errors[gaussian]);
  const double twice = 2 * sweep.sigmas[at];
  const auto there = std::ranges::min_element(sweep.sigmas, {}, [&](double s) { return std::abs(s - twice); });
  const double harm = sweep.errors[gaussian][static_cast<std::size_t>(there - sweep.sigmas.begin())] - best[gaussian];
  const double shape = *highest - *lowest;
  const std::string numbers =
      fmt::format("the best of each differ by {:.2g}{}, and a Gaussian of twice its best width loses {:.2g}{}", shape,
                  units.of_y, harm, units.of_y);
  std::vector<std::string> with_gaps;
  for (std::size_t i = 0; i < sweep.errors.size(); ++i)
    if (std::ranges::any_of(sweep.errors[i], [](double e) { return std::isnan(e); })) with_gaps.push_back(names[i]);
  std::string gaps;
  for (const std::string& name : with_gaps) gaps += (gaps.empty() ? "" : ", ") + name;
  const bool width_more = shape < 0.5 * harm, too_small = shape < 0.02 * *lowest;
  const auto as_good = std::ranges::count(best, *lowest);
  return told({{width_more, "The width matters more than the shape: " + numbers + "."},
               {!width_more && !too_small, "The shape matters, too: " + numbers + "."},
               {!width_more && too_small, "Here neither shape nor width matters much: " + numbers + "."},
               {as_good == 1, fmt::format("The least error is that of the {} kernel.", which)},
               {!gaps.empty(),
                "A narrow kernel may reach no key from some query. Then there is no answer, and the curve begins "
                "later: " +
                    gaps + "."}});
}

}  // namespace regard::regression

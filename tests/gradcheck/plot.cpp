#include "examples/plot/figure.h"
#include "tests/cases/error_by_step.h"
#include "tests/gradcheck/table.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace regard::gradcheck_table {
namespace {

constexpr double smallest_error = 1e-14, largest_error = 1e2;

// c·hᵖ as a dashed line, inside the picture.
void draw_law(plot::Axes& axes, double c, int power, const plot::Style& style) {
  std::vector<double> steps, errors;
  for (double digit = -12; digit <= 0; digit += 0.125) {
    const double h = std::pow(10, digit), error = c * std::pow(h, power);
    if (error < smallest_error || error > largest_error) continue;
    steps.push_back(h);
    errors.push_back(error);
  }
  if (!steps.empty()) axes.line(steps, errors, style);
}

void draw_order(plot::Axes& axes, int order, const std::vector<cases::ErrorByStep>& curves, double eps) {
  axes.title(order == 1 ? "First order" : "Second order").x_label("step h").y_label("relative error of the slope");
  axes.x_logarithmic().y_logarithmic().x_range(1e-12, 1).y_range(smallest_error, largest_error);
  const plot::Color grey = plot::color_of_bound;
  axes.line({eps, eps}, {smallest_error, largest_error},
            {.label = "the step that gradcheck begins with", .color = grey, .width = 1});
  bool has_bend = false;
  for (const cases::ErrorByStep& curve : curves) {
    if (curve.order != order) continue;
    const plot::Color color = plot::series_color(curve.dtype == DType::f64 ? 0 : 1);
    const std::string type(name_of(curve.dtype));
    if (!has_bend)
      draw_law(axes, curve.bend, 2, {.label = "bend · h²", .color = plot::ink, .width = 1, .dashed = true});
    has_bend = true;
    draw_law(axes, curve.rounding, -1,
             {.label = "rounding of " + type + " / h", .color = color, .width = 1, .dashed = true});
    axes.line(curve.steps, curve.errors, {.color = color, .width = 1});
    axes.scatter(curve.steps, curve.errors, {.label = "measured in " + type, .color = color, .size = 2});
  }
}

void draw(const cases::Case& row, const std::vector<cases::ErrorByStep>& curves, double eps, const std::string& path) {
  const int orders = curves.back().order;
  plot::Figure figure(
      {.columns = orders, .width = 400.0 * orders, .height = 330, .title = row.id + ": errors of measured slopes"});
  for (int order = 1; order <= orders; ++order) draw_order(figure.axes(0, order - 1), order, curves, eps);
  figure.save(path);
}

std::string in_words(const cases::ErrorByStep& curve) {
  const auto least = std::ranges::min_element(curve.errors);
  const double step = curve.steps[static_cast<std::size_t>(least - curve.errors.begin())];
  std::string text = fmt::format("order {}, {}: ", curve.order, name_of(curve.dtype));
  text +=
      *least == 0 ? "some steps give no error at all" : fmt::format("least error {:.0e} at h = {:.0e}", *least, step);
  if (curve.bend == 0) return text + "; no bend, so no step is too wide";
  if (curve.rounding == 0) return text + "; nothing is rounded, so no step is too narrow";
  return text + fmt::format("; by the two laws it is at h = {:.0e}", curve.best_step());
}

}  // namespace

int plot_errors(const std::vector<cases::Case>& rows, const GradcheckOptions& options, const std::string& out) {
  std::filesystem::create_directories(out);
  for (const cases::Case& row : rows) {
    const std::vector<cases::ErrorByStep> curves = cases::errors_by_step(row, options.order, options.seed);
    if (curves.empty()) {
      fmt::print("{}: all gradients are 0, so there is no error to draw\n", row.id);
      continue;
    }
    std::string name = row.id + ".png";
    std::ranges::replace(name, '/', '-');
    const std::string path = std::filesystem::path(out) / name;
    draw(row, curves, options.eps, path);
    fmt::print("{}\n", path);
    for (const cases::ErrorByStep& curve : curves) fmt::print("  {}\n", in_words(curve));
  }
  return 0;
}

}  // namespace regard::gradcheck_table

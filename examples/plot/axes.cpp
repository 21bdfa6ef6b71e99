#include "examples/plot/axes.h"

#include <algorithm>

namespace regard::plot {

Axes& Axes::add(Series::Kind kind, const Numbers& x, const Numbers& y, const Style& style) {
  if (x.values().size() != y.values().size())
    fail<ShapeError>("plot: {} numbers for x and {} for y: there must be a y for each x", x.values().size(),
                     y.values().size());
  for (const double value : {style.width, style.size, style.alpha})
    if (!(value >= 0) || !std::isfinite(value))
      fail<ValueError>("plot: a style of width {}, size {} and alpha {}: each must be a finite number from 0 on",
                       style.width, style.size, style.alpha);
  Series series{kind, x.values(), y.values(), {}, style};
  if (!style.color) series.style.color = series_color(content_.series.size());
  content_.series.push_back(std::move(series));
  return *this;
}

std::optional<Range> Axes::chosen(const char* name, double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high) || low > high)
    fail<ValueError>("plot: {}({}, {}): both must be finite, and the first not above the second", name, low, high);
  return Range{low, high};
}

Axes& Axes::line(const Numbers& x, const Numbers& y, const Style& style) {
  return add(Series::Kind::line, x, y, style);
}
Axes& Axes::scatter(const Numbers& x, const Numbers& y, const Style& style) {
  return add(Series::Kind::scatter, x, y, style);
}
Axes& Axes::stem(const Numbers& x, const Numbers& y, const Style& style) {
  return add(Series::Kind::stem, x, y, style);
}

Axes& Axes::band(const Numbers& x, const Numbers& low, const Numbers& high, const Style& style) {
  if (low.values().size() != high.values().size())
    fail<ShapeError>("plot: a band of {} lower and {} upper edges", low.values().size(), high.values().size());
  add(Series::Kind::band, x, low, style);
  content_.series.back().y2 = high.values();
  return *this;
}

Axes& Axes::bars(const Numbers& x, const Numbers& y, const Style& style) {
  add(Series::Kind::bars, x, y, style);
  Series& series = content_.series.back();
  double step = 1;  // the smallest between neighbours
  for (std::size_t i = 0; i + 1 < series.x.size(); ++i)
    step = i == 0 ? std::abs(series.x[1] - series.x[0]) : std::min(step, std::abs(series.x[i + 1] - series.x[i]));
  series.bar_width = 0.8 * step;
  return *this;
}

Axes& Axes::histogram(const Numbers& values, int bins, const Style& style) {
  if (bins < 1) fail<ValueError>("plot: a histogram of {} bins", bins);
  Range range;
  for (const double value : values.values()) range.include(value);
  range = drawable(range, false, 0);
  const double width = range.span() / bins;
  std::vector<double> centers(bins), counts(bins, 0.0);
  for (int i = 0; i < bins; ++i) centers[i] = range.low + (i + 0.5) * width;
  for (const double value : values.values())
    if (std::isfinite(value)) ++counts[std::clamp(static_cast<int>((value - range.low) / width), 0, bins - 1)];
  add(Series::Kind::bars, centers, counts, style);
  content_.series.back().bar_width = width;
  return *this;
}

Axes& Axes::heatmap(const Tensor& matrix, const HeatmapOptions& options) {
  content_.heats.emplace_back(matrix, options);
  if (!options.title.empty()) content_.title = options.title;
  if (!options.x.empty()) content_.x_label = options.x;
  if (!options.y.empty()) content_.y_label = options.y;
  return *this;
}

Axes& Axes::note(double x, double y, std::string text, Align side) {
  content_.notes.push_back({x, y, std::move(text), side});
  return *this;
}

}  // namespace regard::plot

#include "examples/plot/layout.h"

#include <algorithm>

namespace regard::plot {

namespace {

void include(Range& range, const std::vector<double>& values, bool logarithmic) {
  for (const double value : values)
    if (!logarithmic || value > 0) range.include(value);
}

// The range of all data along one axis. Bars and stems stand on 0, and bars have a width.
Range data_range(const Content& content, bool vertical) {
  const bool logarithmic = vertical ? content.y_logarithmic : content.x_logarithmic;
  Range range;
  for (const Series& series : content.series) {
    include(range, vertical ? series.y : series.x, logarithmic);
    if (vertical) include(range, series.y2, logarithmic);
    if (vertical && !logarithmic && (series.kind == Series::Kind::bars || series.kind == Series::Kind::stem))
      range.include(0);
    if (!vertical && series.kind == Series::Kind::bars)
      for (const double x : series.x) {
        range.include(x - series.bar_width / 2);
        range.include(x + series.bar_width / 2);
      }
  }
  return range;
}

// Words or numbers for `count` cells in a row of `length`, in the middle of each; only some where there is not room for
// all.
std::vector<Tick> cell_ticks(const std::vector<std::string>& tokens, std::int64_t count, double length, double room) {
  std::vector<Tick> result;
  if (tokens.empty()) {
    const double last = static_cast<double>(std::max<std::int64_t>(count - 1, 1));
    for (const Tick& tick : linear_ticks({0, last}, static_cast<int>(std::clamp(length / 30, 1.0, last))))
      if (tick.value < static_cast<double>(count)) result.push_back(tick);
    return result;
  }
  const std::int64_t fit = std::max<std::int64_t>(1, static_cast<std::int64_t>(length / room));
  const std::int64_t every = (count + fit - 1) / fit;
  for (std::int64_t i = 0; i < count; i += every)
    result.push_back({static_cast<double>(i), tokens[static_cast<std::size_t>(i)]});
  return result;
}

// Numbers along `count` cells, of which the outer edges are known; they may rise or fall.
std::vector<Tick> edge_ticks(const Range& edges, std::int64_t count, double length) {
  std::vector<Tick> result;
  const auto [low, high] = std::minmax(edges.low, edges.high);
  for (Tick tick : linear_ticks({low, high}, static_cast<int>(std::max(length / 44, 1.0)))) {
    tick.value = (tick.value - edges.low) / edges.span() * static_cast<double>(count) - 0.5;
    result.push_back(tick);
  }
  return result;
}

}  // namespace

double widest_label(const std::vector<Tick>& ticks) {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, measure(tick.label, tick_size).width);
  return width;
}

Division division_of(const Content& content, double width, double height) {
  Division result;
  if (!content.heats.empty()) {
    const Heat& heat = content.heats.front();
    const double columns = static_cast<double>(heat.columns()), rows = static_cast<double>(heat.rows());
    result.x = {{-0.5, std::max(columns, 1.0) - 0.5}};
    result.y = {{std::max(rows, 1.0) - 0.5, -0.5}};  // row 0 is on top
    const auto& words = heat.options().x_tokens;
    for (const std::string& word : words)
      result.upwards = result.upwards || measure(word, tick_size).width > 0.92 * width / std::max(columns, 1.0);
    const HeatmapOptions& options = heat.options();
    result.x_ticks = options.x_edges ? edge_ticks(*options.x_edges, heat.columns(), width)
                                     : cell_ticks(words, heat.columns(), width, result.upwards ? 1.15 * tick_size : 1);
    result.y_ticks = options.y_edges ? edge_ticks(*options.y_edges, heat.rows(), height)
                                     : cell_ticks(options.y_tokens, heat.rows(), height, 1.15 * tick_size);
  } else {
    const bool stands = std::any_of(content.series.begin(), content.series.end(),
                                    [](const Series& s) { return s.kind == Series::Kind::bars; });
    Range y = drawable(data_range(content, true), content.y_logarithmic, 0.05);
    if (stands && !content.y_logarithmic && data_range(content, true).low == 0) y.low = 0;
    if (content.y_range) y = drawable(*content.y_range, content.y_logarithmic, 0);
    result.x = {drawable(content.x_range.value_or(data_range(content, false)), content.x_logarithmic,
                         content.x_range ? 0 : 0.03),
                content.x_logarithmic};
    result.y = {y, content.y_logarithmic};
    result.y_ticks = ticks(result.y, std::max(3, static_cast<int>(height / 38)));
    if (content.x_tokens.empty()) {
      result.x_ticks = ticks(result.x, std::max(3, static_cast<int>(width / 60)));
      // Numbers with many digits need more room.
      if (const double each = width / std::max<double>(1, static_cast<double>(result.x_ticks.size()));
          widest_label(result.x_ticks) > 0.8 * each)
        result.x_ticks = ticks(result.x, std::max(2, static_cast<int>(width / (1.6 * widest_label(result.x_ticks)))));
    } else {
      const double each = width / result.x.range.span();
      for (const std::string& word : content.x_tokens)
        result.upwards = result.upwards || measure(word, tick_size).width > 0.92 * each;
      result.x_ticks =
          cell_ticks(content.x_tokens, static_cast<std::int64_t>(content.x_tokens.size()),
                     each * static_cast<double>(content.x_tokens.size()), result.upwards ? 1.15 * tick_size : 1);
    }
  }
  if (!content.frame) result.x_ticks.clear(), result.y_ticks.clear();
  return result;
}

Margins margins(const Content& content, double width, double height) {
  const Box box = data_box(content, {0, 0, width, height});
  const Division division = division_of(content, box.width(), box.height());
  Margins result{4, 4, 8, 4};
  if (!division.y_ticks.empty()) result.left += tick_length + tick_gap + widest_label(division.y_ticks);
  if (!content.y_label.empty()) result.left += text_gap + 1.1 * label_size;
  if (!division.x_ticks.empty())
    result.bottom += tick_length + tick_gap + (division.upwards ? widest_label(division.x_ticks) : tick_size);
  for (const Tick& tick : division.x_ticks) {  // the first and the last number may reach beyond the box
    const double center = division.x(tick.value) * box.width();
    const double half = (division.upwards ? tick_size : measure(tick.label, tick_size).width) / 2;
    result.left = std::max(result.left, half - center + 2);
    result.right = std::max(result.right, center + half - box.width() + 2);
  }
  result.right = std::max(result.right, end_label_room(end_labels(content, division, box)) + 4);
  if (!content.x_label.empty()) result.bottom += text_gap + 1.1 * label_size;
  if (!content.title.empty()) result.top += text_gap + title_size;
  for (const Heat& heat : content.heats)
    if (heat.options().bar) {
      result.right += color_bar_gap + color_bar_room(heat, box.height());
      break;
    }
  return result;
}

Box data_box(const Content& content, const Box& box) {
  const double aspect = content.heats.empty() ? 0 : content.heats.front().aspect();
  if (aspect == 0) return box;
  const double width = std::min(box.width(), box.height() * aspect), height = width / aspect;
  const double left = box.center().x - width / 2;
  return {left, box.top, left + width, box.top + height};  // all of a row have one top
}

}  // namespace regard::plot

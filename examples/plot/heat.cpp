#include "examples/plot/heat.h"

#include "examples/plot/layout.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>

namespace regard::plot {

namespace {

constexpr std::int64_t most_blocks = 700;  // along each side: about as many as a picture has pixels

// All numbers are whole.
bool holds_counts(const Heat& heat) {
  for (std::int64_t row = 0; row < heat.rows(); ++row)
    for (std::int64_t column = 0; column < heat.columns(); ++column)
      if (const double value = heat.at(row, column); std::isfinite(value) && value != std::round(value)) return false;
  return true;
}

}  // namespace

Heat::Heat(const Tensor& matrix, HeatmapOptions options) : options_(std::move(options)) {
  if (matrix.rank() != 2) fail<ShapeError>("heatmap: {} is not a matrix", matrix.shape());
  if (options_.map == Colormap::weights && options_.bar_label.empty()) options_.bar_label = "weight";
  rows_ = matrix.size(0);
  columns_ = matrix.size(1);
  const auto check_tokens = [&](const char* side, const std::vector<std::string>& tokens, std::int64_t count) {
    if (!tokens.empty() && static_cast<std::int64_t>(tokens.size()) != count)
      fail<ShapeError>("heatmap: {} {} for a matrix {}: there must be {}, or none", tokens.size(), side, matrix.shape(),
                       count);
  };
  check_tokens("x_tokens", options_.x_tokens, columns_);
  check_tokens("y_tokens", options_.y_tokens, rows_);
  block_rows_ = std::max<std::int64_t>(1, (rows_ + most_blocks - 1) / most_blocks);
  block_columns_ = std::max<std::int64_t>(1, (columns_ + most_blocks - 1) / most_blocks);
  blocks_down_ = (rows_ + block_rows_ - 1) / block_rows_;
  blocks_across_ = (columns_ + block_columns_ - 1) / block_columns_;
  blocks_.assign(static_cast<std::size_t>(blocks_down_ * blocks_across_), 0.0);

  for (std::int64_t row = 0; row < rows_; ++row) {
    const std::vector<double> line = to_vector(select(matrix, 0, row));
    double* const blocks = &blocks_[static_cast<std::size_t>(row / block_rows_ * blocks_across_)];
    const double rows_here = static_cast<double>(std::min(block_rows_, rows_ - row / block_rows_ * block_rows_));
    for (std::int64_t column = 0; column < columns_; ++column) {
      const std::int64_t block = column / block_columns_;
      const double columns_here = static_cast<double>(std::min(block_columns_, columns_ - block * block_columns_));
      blocks[block] += line[static_cast<std::size_t>(column)] / (rows_here * columns_here);
    }
  }
  for (const double value : blocks_) {
    found_.include(value);
    has_nan_ = has_nan_ || std::isnan(value);
  }
}

double Heat::at(std::int64_t row, std::int64_t column) const {
  return blocks_[static_cast<std::size_t>(row / block_rows_ * blocks_across_ + column / block_columns_)];
}

Range Heat::wanted_range() const {
  if (options_.map == Colormap::weights) return {0, 1};
  Range range = found_;
  if (options_.map == Colormap::diverging && !range.empty()) {
    const double most = std::max(std::abs(range.low), std::abs(range.high));
    range = {-most, most};
  }
  if (options_.low) range.low = *options_.low;
  if (options_.high) range.high = *options_.high;
  return range;
}

double Heat::position(double value) const {
  if (std::isinf(value)) return value > 0 ? 1 : 0;
  const double share = Scale{range()}(value);
  return options_.map == Colormap::weights ? std::sqrt(std::max(share, 0.0)) : share;  // NaN stays NaN
}

double Heat::aspect() const {
  if (!options_.square || rows_ == 0 || columns_ == 0) return 0;
  const double ratio = static_cast<double>(columns_) / static_cast<double>(rows_);
  return ratio > 6 ? 6 : ratio < 1.0 / 6 ? 1.0 / 6 : ratio;
}

double Heat::average(double top, double bottom, double left, double right) const {
  const std::int64_t first_row = static_cast<std::int64_t>(top), first_column = static_cast<std::int64_t>(left);
  const std::int64_t last_row = std::max(first_row + 1, static_cast<std::int64_t>(std::ceil(bottom)));
  const std::int64_t last_column = std::max(first_column + 1, static_cast<std::int64_t>(std::ceil(right)));
  double sum = 0, count = 0;
  for (std::int64_t row = first_row; row < std::min(last_row, rows_); row += block_rows_)
    for (std::int64_t column = first_column; column < std::min(last_column, columns_); column += block_columns_) {
      sum += at(row, column);
      ++count;
    }
  return sum / count;
}

void Heat::draw(Canvas& canvas, const Box& box) const {
  if (rows_ == 0 || columns_ == 0) return;
  const double rows = static_cast<double>(rows_), columns = static_cast<double>(columns_);
  canvas.pixels(box, [&](double x, double y, double dx, double dy) {
    // Where a pixel spans several cells it shows their mean, elsewhere the cell that holds its centre.
    const bool many_down = dy * rows > 1, many_across = dx * columns > 1;
    const double top = (many_down ? y : y + dy / 2) * rows, left = (many_across ? x : x + dx / 2) * columns;
    const double value = average(top, many_down ? (y + dy) * rows : top, left, many_across ? (x + dx) * columns : left);
    return color_at(options_.map, position(value));
  });
  if (options_.values) write_values(canvas, box);
}

void Heat::write_values(Canvas& canvas, const Box& box) const {
  const double width = box.width() / static_cast<double>(columns_), height = box.height() / static_cast<double>(rows_);
  const bool counts = holds_counts(*this);
  const bool blank = counts && (options_.map == Colormap::reds || options_.map == Colormap::gray);
  const int decimals = counts ? 0 : range().span() >= 20 ? 1 : 2;
  double widest = 0;
  for (const double value : blocks_) widest = std::max(widest, measure(number(value, decimals), 1).width);
  const double size = std::min({tick_size, 0.62 * height, 0.9 * width / std::max(widest, 0.1)});
  if (size < 6) return;  // nobody could read it
  for (std::int64_t row = 0; row < rows_; ++row)
    for (std::int64_t column = 0; column < columns_; ++column) {
      const double value = at(row, column);
      const std::string text = std::isnan(value)     ? (options_.missing == "NaN" ? "NaN" : "")
                               : std::isinf(value)   ? (value > 0 ? "∞" : "−∞")
                               : blank && value == 0 ? ""  // among counts nothing stands for nothing
                                                     : number(value, decimals);
      const bool dark = lightness(color_at(options_.map, position(value))) < 0.55;
      canvas.text(
          {box.left + (static_cast<double>(column) + 0.5) * width, box.top + (static_cast<double>(row) + 0.5) * height},
          text, {.size = size, .color = dark ? white : ink, .horizontal = Align::center, .vertical = Align::center});
    }
}

namespace {

// Where whole numbers stand in the cells, nothing between them is marked.
std::vector<Tick> bar_ticks(const Heat& heat, double height) {
  if (heat.options().map == Colormap::weights) return {{0, "0"}, {0.1, "0.1"}, {0.25, "0.25"}, {0.5, "0.5"}, {1, "1"}};
  const Range range = heat.range();
  int count = std::clamp(static_cast<int>(height / 32), 2, 6);
  if (heat.options().values && holds_counts(heat))
    count = static_cast<int>(std::clamp(range.span(), 1.0, static_cast<double>(count)));
  return linear_ticks(range, count);
}

// Where the label of a bar ends: right of the ticks; right of what NaN is called only if the label reaches down to it.
constexpr double label_room = 19;
double label_end(const Heat& heat, double height) {
  double widest = 0;
  for (const Tick& tick : bar_ticks(heat, height)) widest = std::max(widest, measure(tick.label, tick_size).width);
  if (heat.has_nan() && measure(heat.options().bar_label, label_size).width > height)
    widest = std::max(widest, measure(heat.options().missing, tick_size).width);
  return color_bar_width + 6 + widest + (heat.options().bar_label.empty() ? 0 : label_room);
}

}  // namespace

double color_bar_room(const Heat& heat, double height) {
  const double below = heat.has_nan() ? color_bar_width + 6 + measure(heat.options().missing, tick_size).width : 0;
  return std::max(label_end(heat, height), below);
}

void draw_color_bar(Canvas& canvas, const Heat& heat, const Box& strip) {
  canvas.pixels(strip,
                [&](double, double y, double, double dy) { return color_at(heat.options().map, 1 - y - dy / 2); });
  canvas.frame(strip, ink, 0.8);
  for (const Tick& tick : bar_ticks(heat, strip.height())) {
    const double y = canvas.snapped(strip.bottom - heat.position(tick.value) * strip.height());
    canvas.fill({strip.right, y - 0.4, strip.right + 3, y + 0.4}, ink);
    canvas.text({strip.right + 5, y}, tick.label, {.size = tick_size, .vertical = Align::center});
  }
  if (!heat.options().bar_label.empty())
    canvas.text({strip.left + label_end(heat, strip.height()), strip.center().y}, heat.options().bar_label,
                {.size = label_size, .horizontal = Align::end, .vertical = Align::center, .upwards = true});
  if (heat.has_nan()) {
    const Box swatch{strip.left, strip.bottom + 7, strip.right, strip.bottom + 7 + color_bar_width};
    canvas.fill(swatch, not_a_number);
    canvas.frame(swatch, ink, 0.8);
    canvas.text({strip.right + 5, swatch.center().y}, heat.options().missing,
                {.size = tick_size, .vertical = Align::center});
  }
}

}  // namespace regard::plot

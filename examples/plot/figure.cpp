#include "examples/plot/figure.h"

#include "examples/plot/layout.h"
#include "examples/plot/svg.h"
#include "tensor/view.h"

#include <algorithm>
#include <numeric>

namespace regard::plot {

namespace {

constexpr double edge = 6, gap = 8, head_size = 14;

double total(const std::vector<double>& parts) { return std::accumulate(parts.begin(), parts.end(), 0.0); }

// The room around all axes of a column or a row: that of the axes which need most.
struct Gutters {
  std::vector<double> left, right, top, bottom;

  Gutters(const std::vector<Content>& contents, int rows, int columns, double inner_width, double inner_height)
      : left(columns), right(columns), top(rows), bottom(rows) {
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        const Margins need = margins(contents[row * columns + column], inner_width, inner_height);
        left[column] = std::max(left[column], need.left);
        right[column] = std::max(right[column], need.right);
        top[row] = std::max(top[row], need.top);
        bottom[row] = std::max(bottom[row], need.bottom);
      }
  }
  double width() const { return total(left) + total(right) + gap * static_cast<double>(left.size() - 1); }
  double height() const { return total(top) + total(bottom) + gap * static_cast<double>(top.size() - 1); }
};

}  // namespace

Figure::Figure(const FigureOptions& options) : options_(options) {
  if (options.rows < 1 || options.columns < 1)
    fail<ValueError>("Figure: a grid of {} × {} axes", options.rows, options.columns);
  axes_.resize(static_cast<std::size_t>(options.rows) * options.columns);
}

Axes& Figure::axes(int row, int column) {
  if (row < 0 || row >= options_.rows || column < 0 || column >= options_.columns)
    fail<ValueError>("Figure: there are no axes at ({}, {}) in a grid of {} × {}", row, column, options_.rows,
                     options_.columns);
  return axes_[static_cast<std::size_t>(row) * options_.columns + column];
}

double Figure::width() const {
  return options_.width > 0 ? options_.width : options_.columns == 1 ? 520 : 400.0 * options_.columns;
}
double Figure::height() const {
  const bool one = options_.rows == 1 && options_.columns == 1;
  return options_.height > 0 ? options_.height : one ? 370 : 310.0 * options_.rows;
}

Image Figure::draw() const {
  Canvas canvas(width(), height(), options_.scale);
  draw_on(canvas);
  return canvas.image();
}

std::string Figure::svg() const {
  SvgCanvas canvas(width(), height(), options_.scale);
  draw_on(canvas);
  if (!options_.title.empty()) return canvas.file(options_.title);
  std::string titles;
  for (const Axes& axes : axes_) {
    const Content& content = axes.content();
    const std::string &x = content.x_label, &y = content.y_label;
    const std::string other = x.empty() || y.empty() ? y + x : y + " over " + x;
    const std::string& told = content.title.empty() ? other : content.title;
    titles += (titles.empty() || told.empty() ? "" : "; ") + told;
  }
  return canvas.file(titles);
}

void Figure::draw_on(Canvas& canvas) const {
  const int rows = options_.rows, columns = options_.columns;
  const double full_width = width(), full_height = height();
  std::vector<Content> contents;
  for (const Axes& axes : axes_) contents.push_back(axes.content());

  // One range for all heatmaps, and the bar that shows it.
  const Heat* shared = nullptr;
  if (options_.shared_colors) {
    Range range;
    for (const Content& content : contents)
      for (const Heat& heat : content.heats) range.include(heat.wanted_range());
    for (Content& content : contents)
      for (Heat& heat : content.heats) {
        heat.set_range(range);
        heat.hide_bar();
        if (!shared || heat.has_nan()) shared = &heat;
      }
  }
  const double head = options_.title.empty() ? 0 : head_size + 12;
  const double bar_room = shared ? gap + color_bar_room(*shared, full_height / 2) : 0;
  const double free_width = full_width - 2 * edge - bar_room, free_height = full_height - 2 * edge - head;

  // What labels need depends on the size of the axes, and that on what labels need: the second look is close enough.
  double inner_width = free_width / columns, inner_height = free_height / rows;
  for (int look = 0; look < 2; ++look) {
    const Gutters need(contents, rows, columns, inner_width, inner_height);
    inner_width = std::max(20.0, (free_width - need.width()) / columns);
    inner_height = std::max(20.0, (free_height - need.height()) / rows);
  }
  const auto [left, right, top, bottom] = Gutters(contents, rows, columns, inner_width, inner_height);

  double y = edge + head;
  for (int row = 0; row < rows; ++row) {
    y += top[row];
    double x = edge;
    for (int column = 0; column < columns; ++column) {
      x += left[column];
      draw_axes(canvas, contents[row * columns + column], {x, y, x + inner_width, y + inner_height});
      x += inner_width + right[column] + gap;
    }
    y += inner_height + bottom[row] + gap;
  }
  if (!options_.title.empty())
    canvas.text({full_width / 2, edge + 4}, options_.title, {.size = head_size, .horizontal = Align::center});
  if (shared) {
    const double x = full_width - edge - bar_room + gap;
    const double high = edge + head + top[0], low = full_height - edge - bottom[rows - 1], middle = (high + low) / 2;
    const double half = std::min((low - high) / 2, 130.0);
    draw_color_bar(canvas, *shared, canvas.snapped({x, middle - half, x + color_bar_width, middle + half}));
  }
}

void Figure::save(const std::filesystem::path& path) const {
  write_picture(path.extension() == ".svg" ? svg() : encode_png(draw()), path);
}

Figure heatmap(const Tensor& matrix, const HeatmapOptions& options) {
  Axes axes;
  axes.heatmap(matrix, options);
  const double ratio = axes.content().heats.front().aspect(), aspect = ratio > 0 ? ratio : 1.4, longer = 320;
  const double width = std::min(longer, longer * aspect), height = std::min(longer, longer / aspect);
  const Margins around = margins(axes.content(), width, height);
  // The title may be wider than the matrix.
  const double title = measure(options.title, title_size).width;
  Figure figure({.width = std::max(around.left + width + around.right, title) + 2 * edge + 1,
                 .height = around.top + height + around.bottom + 2 * edge + 1});
  figure.axes() = axes;
  return figure;
}

Figure heatmap(const Variable& matrix, const HeatmapOptions& options) { return heatmap(matrix.value(), options); }

Figure heatmap_grid(const Tensor& matrices, const HeatmapOptions& options, const GridOptions& grid) {
  if (matrices.rank() != 4) fail<ShapeError>("heatmap_grid: {} is not (rows, columns, Lq, Lk)", matrices.shape());
  const int rows = static_cast<int>(matrices.size(0)), columns = static_cast<int>(matrices.size(1));
  if (rows < 1 || columns < 1) fail<ShapeError>("heatmap_grid: {} holds no matrices to draw", matrices.shape());
  if (!grid.titles.empty() && grid.titles.size() != static_cast<std::size_t>(rows) * columns)
    fail<ShapeError>("heatmap_grid: {} titles for {} matrices: there must be one for each, or none", grid.titles.size(),
                     rows * columns);
  if (!(grid.cell >= 20 && grid.cell <= 2000))
    fail<ValueError>("heatmap_grid: cells of {} points; 20 to 2000 can be drawn", grid.cell);
  const double aspect =
      static_cast<double>(matrices.size(3)) / static_cast<double>(std::max<std::int64_t>(matrices.size(2), 1));
  const double cell_height = std::clamp(grid.cell / std::max(aspect, 0.1), 40.0, 3 * grid.cell);
  std::vector<Axes> all(static_cast<std::size_t>(rows) * columns);
  std::vector<Content> contents;
  for (int i = 0; i < rows * columns; ++i) {
    HeatmapOptions own = options;
    own.bar = false;
    if (!grid.titles.empty()) own.title = grid.titles[i];
    // What is below and beside all of them stands once.
    if (i / columns + 1 < rows) own.x.clear(), std::ranges::fill(own.x_tokens, "");
    if (i % columns > 0) own.y.clear(), std::ranges::fill(own.y_tokens, "");
    all[i].heatmap(select(select(matrices, 0, i / columns), 0, i % columns), own);
    contents.push_back(all[i].content());
  }
  const Gutters need(contents, rows, columns, grid.cell, cell_height);
  const double bar_room = gap + color_bar_room(contents.front().heats.front(), 260) + 8;
  Figure figure({.rows = rows,
                 .columns = columns,
                 .width = need.width() + columns * grid.cell + 2 * edge + bar_room,
                 .height = need.height() + rows * cell_height + 2 * edge + (grid.title.empty() ? 0 : head_size + 12),
                 .title = grid.title,
                 .shared_colors = true});
  for (int i = 0; i < rows * columns; ++i) figure.axes(i / columns, i % columns) = all[i];
  return figure;
}

}  // namespace regard::plot

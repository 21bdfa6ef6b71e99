#include "examples/plot/layout.h"

#include <algorithm>

namespace regard::plot {

namespace {

constexpr double row_height = 15, sample_width = 20, padding = 5, distance = 7;

// A piece of the line, the dot or the area that the label belongs to.
void draw_sample(Canvas& canvas, const Series& series, const Box& box) {
  const Color color = series.style.color->with_alpha(series.style.alpha);
  const Point center = box.center();
  switch (series.kind) {
    case Series::Kind::line:
      canvas.line({{box.left, center.y}, {box.right, center.y}}, {color, series.style.width, series.style.dashed});
      break;
    case Series::Kind::stem:
    case Series::Kind::scatter: canvas.disc(center, std::clamp(series.style.size, 2.2, 5.0), color); break;
    case Series::Kind::band:
    case Series::Kind::bars:
      canvas.fill(canvas.snapped({box.left, center.y - 4, box.right, center.y + 4}), color);
      break;
  }
}

// Left, middle or right; top, middle or bottom. In the order in which equally good places are preferred.
std::vector<Box> places(const Box& box, double width, double height) {
  const double left = box.left + distance, right = box.right - distance - width, middle = box.center().x - width / 2;
  const double top = box.top + distance, bottom = box.bottom - distance - height, center = box.center().y - height / 2;
  std::vector<Box> result;
  for (const Point p : {Point{right, top}, Point{left, top}, Point{left, bottom}, Point{right, bottom},
                        Point{middle, top}, Point{middle, bottom}, Point{right, center}, Point{left, center}})
    result.push_back({p.x, p.y, p.x + width, p.y + height});
  return result;
}

std::vector<const Series*> entries_of(const Content& content) {
  std::vector<const Series*> entries;
  for (const Series& series : content.series)
    if (content.legend && !series.style.label.empty()) entries.push_back(&series);
  return entries;
}

double label_width(const Series& series) { return measure(series.style.label, tick_size).width; }

void draw_entry(Canvas& canvas, const Series& series, const Point& at) {
  draw_sample(canvas, series, {at.x, at.y, at.x + sample_width, at.y + row_height});
  canvas.text({at.x + sample_width + padding, at.y + row_height / 2}, series.style.label,
              {.size = tick_size, .vertical = Align::center});
}

}  // namespace

double draw_legend(Canvas& canvas, const Content& content, const Box& box, bool only_try) {
  const std::vector<const Series*> entries = entries_of(content);
  if (entries.empty()) return 0;
  double widest = 0;
  for (const Series* series : entries) widest = std::max(widest, label_width(*series));

  const double width = widest + sample_width + 3.5 * padding;
  const double height = row_height * static_cast<double>(entries.size()) + 1.2 * padding;
  Box best;
  double hidden = 2;
  for (const Box& place : places(box, width, height))
    if (const double share = canvas.marked_share(place.grown(3)); share < hidden - 1e-3) best = place, hidden = share;
  if (only_try) return hidden;

  canvas.fill(canvas.snapped(best), white.with_alpha(0.85));
  canvas.frame(canvas.snapped(best), legend_edge, 1);
  double y = best.top + 0.6 * padding;
  for (const Series* series : entries) {
    draw_entry(canvas, *series, {best.left + padding, y});
    y += row_height;
  }
  return hidden;
}

double draw_legend_in_rows(Canvas& canvas, const Content& content, const Box& box, bool only_try) {
  Point at{box.left, box.top};
  for (const Series* series : entries_of(content)) {
    const double width = sample_width + padding + label_width(*series);
    if (at.x > box.left && at.x + width > box.right) at = {box.left, at.y + row_height};
    if (!only_try) draw_entry(canvas, *series, at);
    at.x += width + 3 * padding;
  }
  return at.y + row_height - box.top;
}

}  // namespace regard::plot

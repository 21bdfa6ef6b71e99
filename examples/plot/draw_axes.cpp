#include "examples/plot/layout.h"

#include <algorithm>

namespace regard::plot {

namespace {

double x_of(const Division& d, const Box& box, double x) { return box.left + d.x(x) * box.width(); }
double y_of(const Division& d, const Box& box, double y) { return box.bottom - d.y(y) * box.height(); }

void draw_grid(Canvas& canvas, const Division& division, const Box& box) {
  for (const Tick& tick : division.x_ticks) {
    if (tick.label.empty()) continue;
    const double x = canvas.snapped(x_of(division, box, tick.value));
    canvas.fill({x - 0.5, box.top, x + 0.5, box.bottom}, grid_line);
  }
  for (const Tick& tick : division.y_ticks) {
    if (tick.label.empty()) continue;
    const double y = canvas.snapped(y_of(division, box, tick.value));
    canvas.fill({box.left, y - 0.5, box.right, y + 0.5}, grid_line);
  }
}

void draw_ticks(Canvas& canvas, const Division& division, const Box& box) {
  const double below = box.bottom + tick_length + tick_gap, beside = box.left - tick_length - tick_gap;
  for (const Tick& tick : division.x_ticks) {
    const double x = canvas.snapped(x_of(division, box, tick.value));
    const double length = tick.label.empty() ? tick_length / 2 : tick_length;
    canvas.fill({x - 0.5, box.bottom, x + 0.5, box.bottom + length}, ink);
    canvas.text(
        {x, below}, tick.label,
        {.size = tick_size, .horizontal = Align::center, .vertical = Align::start, .upwards = division.upwards});
  }
  for (const Tick& tick : division.y_ticks) {
    const double y = canvas.snapped(y_of(division, box, tick.value));
    const double length = tick.label.empty() ? tick_length / 2 : tick_length;
    canvas.fill({box.left - length, y - 0.5, box.left, y + 0.5}, ink);
    canvas.text({beside, y}, tick.label, {.size = tick_size, .horizontal = Align::end, .vertical = Align::center});
  }
}

void draw_labels(Canvas& canvas, const Content& content, const Division& division, const Box& box, double top) {
  const double x_height = division.x_ticks.empty() ? 0 : division.upwards ? widest_label(division.x_ticks) : tick_size;
  const double y_width = widest_label(division.y_ticks);
  canvas.text({box.center().x, top - text_gap}, content.title,
              {.size = title_size, .horizontal = Align::center, .vertical = Align::end});
  canvas.text({box.center().x, box.bottom + tick_length + tick_gap + x_height + text_gap - 1}, content.x_label,
              {.size = label_size, .horizontal = Align::center, .vertical = Align::start});
  canvas.text({box.left - tick_length - tick_gap - y_width - text_gap, box.center().y}, content.y_label,
              {.size = label_size, .horizontal = Align::end, .vertical = Align::center, .upwards = true});
}

void draw_heats(Canvas& canvas, const Content& content, const Box& box) {
  for (const Heat& heat : content.heats) heat.draw(canvas, box);
  for (const Heat& heat : content.heats)
    if (heat.options().bar) {
      const double left = box.right + color_bar_gap;
      draw_color_bar(canvas, heat, canvas.snapped({left, box.top, left + color_bar_width, box.bottom}));
      break;
    }
}

// Lines and all else that is no heatmap. Where they are is marked, for the legend.
void draw_data(Canvas& canvas, const Content& content, const Division& division, const Box& box) {
  canvas.clip(box);
  if (content.heats.empty()) {
    canvas.fill(box, white);
    if (content.frame) draw_grid(canvas, division, box);
  }
  canvas.clear_marks();
  canvas.mark(true);
  for (const Series& series : content.series) draw_series(canvas, series, division, box);
  canvas.mark(false);
  canvas.clip(std::nullopt);
}

// Marked as well: the legend keeps clear of them.
void draw_notes(Canvas& canvas, const Content& content, const Division& division, const Box& box) {
  const double away = 7;  // from the point
  canvas.mark(true);
  for (const Note& note : content.notes) {
    const bool above = note.side == Align::center;
    const double right = above ? 0 : note.side == Align::start ? away : -away;
    canvas.text({x_of(division, box, note.x) + right, y_of(division, box, note.y) - (above ? away : 0)}, note.text,
                {.size = tick_size, .horizontal = note.side, .vertical = above ? Align::end : Align::center});
  }
  canvas.mark(false);
}

}  // namespace

void draw_axes(Canvas& canvas, const Content& given, const Box& outer) {
  Content content = given;
  const Box whole = canvas.snapped(data_box(content, outer));
  Box box = whole;
  Division division = division_of(content, box.width(), box.height());
  for (const EndLabel& label : end_labels(given, division, box))  // they are told at their ends, and not in the legend
    content.series[static_cast<std::size_t>(label.series - given.series.data())].style.label.clear();
  draw_heats(canvas, content, box);

  // Where the legend would hide data, which is tried on a canvas of its own, it stands between title and frame, which
  // gets lower by that. The axes end where the data does.
  bool above = false;
  if (content.heats.empty() && !content.series.empty()) {
    Canvas trial(canvas.area().width(), canvas.area().height(), canvas.scale());
    draw_data(trial, content, division, box);
    const double rows = draw_legend_in_rows(trial, content, whole, true) + 3;
    above = rows < whole.height() / 3 && draw_legend(trial, content, box, true) >= 0.001;
    if (above) {
      box = canvas.snapped({whole.left, whole.top + rows, whole.right, whole.bottom});
      division = division_of(content, box.width(), box.height());
    }
  }
  if (!content.series.empty()) draw_data(canvas, content, division, box);
  if (content.frame) canvas.frame(box, ink, 1);
  draw_ticks(canvas, division, box);
  draw_labels(canvas, content, division, box, whole.top);
  draw_end_labels(canvas, end_labels(given, division, box), box);
  draw_notes(canvas, content, division, box);
  if (above)
    draw_legend_in_rows(canvas, content, whole, false);
  else
    draw_legend(canvas, content, box, false);
}

void draw_series(Canvas& canvas, const Series& series, const Division& division, const Box& box) {
  const Color color = series.style.color->with_alpha(series.style.alpha);
  const auto at = [&](double x, double y) { return Point{x_of(division, box, x), y_of(division, box, y)}; };
  std::vector<Point> points, upper;
  for (std::size_t i = 0; i < series.x.size(); ++i) points.push_back(at(series.x[i], series.y[i]));
  for (std::size_t i = 0; i < series.y2.size(); ++i) upper.push_back(at(series.x[i], series.y2[i]));
  const auto drawable_point = [](const Point& p) { return std::isfinite(p.x) && std::isfinite(p.y); };
  const double floor = y_of(division, box, division.y.logarithmic ? division.y.range.low : 0);

  switch (series.kind) {
    case Series::Kind::line: canvas.line(points, {color, series.style.width, series.style.dashed}); break;
    case Series::Kind::stem:
      for (const Point& p : points)
        if (const double half = series.style.width / 2; drawable_point(p))
          canvas.fill({p.x - half, std::min(p.y, floor), p.x + half, std::max(p.y, floor)}, color);
      [[fallthrough]];
    case Series::Kind::scatter:
      for (const Point& p : points)
        if (drawable_point(p)) canvas.disc(p, series.style.size, color);
      break;
    case Series::Kind::band: canvas.band(points, upper, color); break;
    case Series::Kind::bars:
      for (std::size_t i = 0; i < points.size(); ++i) {
        if (!drawable_point(points[i])) continue;
        const double left = x_of(division, box, series.x[i] - series.bar_width / 2);
        const double right = x_of(division, box, series.x[i] + series.bar_width / 2);
        canvas.fill(canvas.snapped({left, std::min(points[i].y, floor), right, std::max(points[i].y, floor)}), color);
      }
      break;
  }
}

}  // namespace regard::plot

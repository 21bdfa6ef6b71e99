#include "examples/book/sketch.h"

#include "examples/plot/palette.h"

#include <cmath>

namespace regard::book {
namespace {

plot::Color color_of(Tint tint) {
  switch (tint) {
    case Tint::plain: return plot::ink;
    case Tint::query: return plot::series_colors[0];
    case Tint::key: return plot::series_colors[1];
    case Tint::value: return plot::series_colors[2];
    case Tint::weight: return plot::color_at(plot::Colormap::weights, 0.7);
    case Tint::quiet: return plot::color_of_bound;
  }
  return plot::ink;
}

}  // namespace

Sketch& Sketch::box(const Point& corner, double width, double height, const std::string& text, Tint tint) {
  const plot::Color color = color_of(tint);
  svg_.rect({corner.x, corner.y, corner.x + width, corner.y + height},
            plot::filled(color.with_alpha(tint == Tint::plain ? 0.03 : 0.2)) + plot::edged({color, 1.6}), 6);
  return words({corner.x + width / 2, corner.y + height / 2}, text);
}

Sketch& Sketch::words(const Point& middle, const std::string& text, double size) {
  svg_.text(middle, text, {.size = size, .horizontal = plot::Align::center, .vertical = plot::Align::center});
  return *this;
}

Sketch& Sketch::line(const std::vector<Point>& points) {
  svg_.line(points, {plot::ink, 1.6});
  return *this;
}

Sketch& Sketch::arrow(const std::vector<Point>& points, const std::string& text, const Point& at) {
  line(points);
  const Point end = points.back(), before = points[points.size() - 2];
  const double length = std::hypot(end.x - before.x, end.y - before.y), size = 8;
  const double x = size * (end.x - before.x) / length, y = size * (end.y - before.y) / length;
  line({{end.x - x - y / 2, end.y - y + x / 2}, end, {end.x - x + y / 2, end.y - y - x / 2}});
  return words(at, text, 13);
}

Sketch& Sketch::dot(const Point& middle, const std::string& text) {
  svg_.circle(middle, 11, plot::filled(plot::white) + plot::edged({plot::ink, 1.6}));
  return words(middle, text, 16);
}

std::string Sketch::svg(const std::string& title) const { return svg_.file({0, 0, width_, height_}, title); }

}  // namespace regard::book

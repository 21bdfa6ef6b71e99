#include "examples/book/sketch.h"

#include "examples/plot/palette.h"

#include <fmt/format.h>

#include <cmath>

namespace regard::book {
namespace {

std::string hex_of(const plot::Color& color) {
  const auto byte = [](double part) { return static_cast<int>(std::lround(255 * part)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(color.red), byte(color.green), byte(color.blue));
}

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

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text)
    if (c == '<')
      safe += "&lt;";
    else if (c == '&')
      safe += "&amp;";
    else
      safe += c;
  return safe;
}

}  // namespace

Sketch& Sketch::box(const Point& corner, double width, double height, const std::string& text, Tint tint) {
  const std::string color = hex_of(color_of(tint));
  inside_ += fmt::format(
      "<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" rx=\"6\" fill=\"{}\" "
      "fill-opacity=\"{}\" stroke=\"{}\" stroke-width=\"1.6\"/>\n",
      corner.x, corner.y, width, height, color, tint == Tint::plain ? 0.03 : 0.2, color);
  return text.empty() ? *this : words({corner.x + width / 2, corner.y + height / 2}, text);
}

Sketch& Sketch::words(const Point& middle, const std::string& text, double size) {
  inside_ += fmt::format("<text x=\"{:g}\" y=\"{:g}\" font-size=\"{:g}\" text-anchor=\"middle\">{}</text>\n", middle.x,
                         middle.y + 0.35 * size, size, escaped(text));
  return *this;
}

Sketch& Sketch::line(const std::vector<Point>& points) {
  std::string way;
  for (const Point& p : points) way += fmt::format("{}{:g},{:g}", way.empty() ? "" : " ", p.x, p.y);
  inside_ += fmt::format(
      "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" "
      "stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n",
      way, hex_of(plot::ink));
  return *this;
}

Sketch& Sketch::arrow(const std::vector<Point>& points, const std::string& text, const Point& at) {
  line(points);
  const Point end = points.back(), before = points[points.size() - 2];
  const double length = std::hypot(end.x - before.x, end.y - before.y), size = 8;
  const double x = size * (end.x - before.x) / length, y = size * (end.y - before.y) / length;
  line({{end.x - x - y / 2, end.y - y + x / 2}, end, {end.x - x + y / 2, end.y - y - x / 2}});
  return text.empty() ? *this : words(at, text, 13);
}

Sketch& Sketch::dot(const Point& middle, const std::string& text) {
  inside_ += fmt::format("<circle cx=\"{:g}\" cy=\"{:g}\" r=\"11\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.6\"/>\n",
                         middle.x, middle.y, hex_of(plot::white), hex_of(plot::ink));
  return words(middle, text, 16);
}

std::string Sketch::svg(const std::string& title) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} "
      "{1:g}\" role=\"img\" font-family=\"DejaVu Sans, Verdana, sans-serif\" fill=\"{2}\">\n"
      "<title>{3}</title>\n<rect width=\"{0:g}\" height=\"{1:g}\" fill=\"{4}\"/>\n{5}</svg>\n",
      width_, height_, hex_of(plot::ink), escaped(title), hex_of(plot::white), inside_);
}

}  // namespace regard::book

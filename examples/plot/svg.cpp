#include "examples/plot/svg.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace regard::plot {

namespace {

std::string hex_of(const Color& color) {
  const auto byte = [](double part) { return std::lround(255 * part); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(color.red), byte(color.green), byte(color.blue));
}

std::string place(double x) { return fmt::format("{:g}", std::round(10 * x) / 10 + 0.0); }  // + 0: none is "-0"

std::string places(const std::vector<Point>& points) {
  std::string all;
  for (const Point& p : points) all += (all.empty() ? "" : " ") + place(p.x) + "," + place(p.y);
  return all;
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

std::string painted(const char* what, const Color& color) {
  return fmt::format(" {}=\"{}\"", what, hex_of(color)) +
         (color.alpha < 1 ? fmt::format(" {}-opacity=\"{:.2g}\"", what, color.alpha) : "");
}

std::string place_of(const Box& box) {
  return fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", place(box.left), place(box.top),
                     place(box.width()), place(box.height()));
}

}  // namespace

std::string filled(const Color& color) { return painted("fill", color); }

std::string edged(const Stroke& stroke) {
  return painted("stroke", stroke.color) + fmt::format(" stroke-width=\"{:g}\"", stroke.width) +
         (stroke.dashed ? fmt::format(" stroke-dasharray=\"{:g} {:g}\"", dash * stroke.width, dash_gap * stroke.width)
                        : "");
}

void Svg::rect(const Box& box, const std::string& look, double round) {
  inside_ += fmt::format("<rect {}{}{}/>\n", place_of(box), round > 0 ? fmt::format(" rx=\"{:g}\"", round) : "", look);
}

void Svg::circle(const Point& center, double radius, const std::string& look) {
  inside_ +=
      fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{:g}\"{}/>\n", place(center.x), place(center.y), radius, look);
}

void Svg::line(const std::vector<Point>& points, const Stroke& stroke) {
  inside_ += fmt::format("<polyline points=\"{}\" fill=\"none\"{}/>\n", places(points), edged(stroke));
}

void Svg::area(const std::vector<Point>& corners, const Color& color) {
  inside_ += fmt::format("<polygon points=\"{}\"{}/>\n", places(corners), filled(color));
}

void Svg::text(const Point& at, const std::string& text, const TextStyle& style) {
  if (text.empty()) return;
  const double before = style.before(), drop = style.drop();
  const Point start = style.upwards ? Point{-at.y, at.x + drop} : Point{at.x, at.y + drop};  // before it is turned
  const std::string color = hex_of(style.color);
  inside_ += fmt::format("<text{} x=\"{}\" y=\"{}\" font-size=\"{:g}\"{}{}>{}</text>\n",
                         style.upwards ? " transform=\"rotate(-90)\"" : "", place(start.x), place(start.y), style.size,
                         before == 0   ? ""
                         : before == 1 ? " text-anchor=\"end\""
                                       : " text-anchor=\"middle\"",
                         color == hex_of(ink) ? "" : filled(style.color), escaped(text));
}

// A drawing in the drawing: what is outside of it is cut off.
void Svg::begin_clip(const Box& box) {
  inside_ += fmt::format("<svg {} viewBox=\"{} {} {} {}\">\n", place_of(box), place(box.left), place(box.top),
                         place(box.width()), place(box.height()));
}
void Svg::end_clip() { inside_ += "</svg>\n"; }

std::string Svg::file(const Box& sheet, const std::string& title, double pixels) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\" viewBox=\"0 0 {:g} {:g}\" "
      "role=\"img\" font-family=\"DejaVu Sans, Verdana, sans-serif\" fill=\"{}\" stroke-linejoin=\"round\" "
      "stroke-linecap=\"round\">\n<title>{}</title>\n<rect {}{}/>\n{}</svg>\n",
      pixels * sheet.width(), pixels * sheet.height(), sheet.width(), sheet.height(), hex_of(ink), escaped(title),
      place_of(sheet), filled(white), inside_);
}

// By Douglas and Peucker: the straight line from the first point to the last is enough, or the point that is farthest
// from it stays, and so for the two parts before and after that.
std::vector<Point> thinned(const std::vector<Point>& points, double tolerance) {
  std::vector<char> stays(points.size(), 0);
  stays.front() = stays.back() = 1;
  std::vector<std::pair<std::size_t, std::size_t>> parts{{0, points.size() - 1}};
  while (!parts.empty()) {
    const auto [first, last] = parts.back();
    parts.pop_back();
    std::size_t farthest = first;
    double most = tolerance;
    for (std::size_t i = first + 1; i < last; ++i)
      if (const double away = distance_to_segment(points[i], points[first], points[last]); away > most)
        most = away, farthest = i;
    if (farthest == first) continue;
    stays[farthest] = 1;
    parts.emplace_back(first, farthest);
    parts.emplace_back(farthest, last);
  }
  std::vector<Point> result;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (stays[i]) result.push_back(points[i]);
  return result;
}

}  // namespace regard::plot

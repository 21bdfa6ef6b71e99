#include "examples/plot/svg.h"
#include "tensor/error.h"

#include <algorithm>
#include <cmath>

namespace regard::plot {

namespace {

constexpr double unseen = 0.1;  // in points
// The pixels of a page that a point becomes: words of 11 points are read as words of 13.6 pixels.
constexpr double pixels_of_a_point = 1.24;

}  // namespace

std::string SvgCanvas::file(const std::string& title) const { return svg_.file(area(), title, pixels_of_a_point); }

void SvgCanvas::clip(const std::optional<Box>& box) {
  Canvas::clip(box);
  if (clipped_) svg_.end_clip();
  if (box) svg_.begin_clip(*box);
  clipped_ = box.has_value();
}

void SvgCanvas::fill(const Box& box, const Color& color) {
  Canvas::fill(box, color);
  if (const Box seen = box.meet(visible()); seen.left < seen.right && seen.top < seen.bottom)
    svg_.rect(seen, filled(color));
}

void SvgCanvas::frame(const Box& box, const Color& color, double width) {
  svg_.rect(box, " fill=\"none\"" + edged({color, width}));
}

void SvgCanvas::line(const std::vector<Point>& points, const Stroke& stroke) {
  Canvas::line(points, stroke);
  for (const std::vector<Point>& piece : inside(points, visible().grown(2 * stroke.width)))
    svg_.line(thinned(piece, unseen), stroke);
}

void SvgCanvas::disc(const Point& center, double radius, const Color& color) {
  Canvas::disc(center, radius, color);
  const Box near = visible().grown(radius);
  if (center.x >= near.left && center.x <= near.right && center.y >= near.top && center.y <= near.bottom)
    svg_.circle(center, radius, filled(color));
}

// The lower edge from left to right, and the upper one back; an area for each stretch without a gap.
void SvgCanvas::band(const std::vector<Point>& low, const std::vector<Point>& high, const Color& color) {
  Canvas::band(low, high, color);
  const double far = 1e5;  // beyond, a place has no decimals
  const auto near = [&](const Point& p) { return Point{std::clamp(p.x, -far, far), std::clamp(p.y, -far, far)}; };
  std::vector<Point> there, back;
  for (std::size_t i = 0; i <= low.size(); ++i) {
    if (i < low.size() && is_finite(low[i]) && is_finite(high[i])) {
      there.push_back(near(low[i]));
      back.push_back(near(high[i]));
      continue;
    }
    if (there.size() > 1) {
      there = thinned(there, unseen), back = thinned(back, unseen);
      there.insert(there.end(), back.rbegin(), back.rend());
      svg_.area(there, color);
    }
    there.clear(), back.clear();
  }
}

void SvgCanvas::text(const Point& at, const std::string& text, const TextStyle& style) {
  Canvas::text(at, text, style);
  if (is_near(at)) svg_.text(at, text, style);
}

void SvgCanvas::pixels(const Box&, const PixelColor&) {
  fail<ValueError>("plot: a heatmap is made of pixels, and an SVG file of lines and words: save it as .png");
}

}  // namespace regard::plot

// Lines and bands of a Canvas. A pixel's share of a line follows from the distance between its centre and the line.
#include "examples/plot/canvas.h"

#include <algorithm>
#include <cmath>

namespace regard::plot {

namespace {

// The part of a → b inside a box, by the method of Liang and Barsky; false if there is none. What is far outside is cut
// off before it becomes a number of pixels.
bool cut(Point& a, Point& b, const Box& box) {
  double first = 0, last = 1;
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double step[] = {-dx, dx, -dy, dy};
  const double room[] = {a.x - box.left, box.right - a.x, a.y - box.top, box.bottom - a.y};
  for (int side = 0; side < 4; ++side) {
    if (step[side] == 0) {
      if (room[side] < 0) return false;
      continue;
    }
    const double at = room[side] / step[side];
    if (step[side] < 0)
      first = std::max(first, at);
    else
      last = std::min(last, at);
  }
  if (first > last) return false;
  const Point start = a;
  if (first > 0) a = {start.x + first * dx, start.y + first * dy};
  if (last < 1) b = {start.x + last * dx, start.y + last * dy};
  return true;
}

}  // namespace

double distance_to_segment(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  const double t = length2 > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0, 1.0) : 0;
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

bool is_finite(const Point& p) { return std::isfinite(p.x) && std::isfinite(p.y); }

std::vector<std::vector<Point>> inside(const std::vector<Point>& points, const Box& box) {
  const auto near = [](const Point& p) {  // far away, digits would be lost
    return Point{std::clamp(p.x, -1e7, 1e7), std::clamp(p.y, -1e7, 1e7)};
  };
  std::vector<std::vector<Point>> pieces;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& next = points[std::min(i + 1, points.size() - 1)];
    if (!is_finite(points[i]) || !is_finite(next)) continue;
    if (i + 1 == points.size() && i > 0) break;  // a single point is a segment of length 0
    Point a = near(points[i]), b = near(next);
    if (!cut(a, b, box)) continue;
    if (pieces.empty() || pieces.back().back().x != a.x || pieces.back().back().y != a.y) pieces.push_back({a});
    pieces.back().push_back(b);
  }
  return pieces;
}

// The segments to be drawn of a line, in pixels: cut into dashes if need be.
std::vector<std::array<Point, 2>> Canvas::segments(const std::vector<Point>& points, const Stroke& stroke) const {
  const double width = std::max(stroke.width * scale_, 1.0), period = (dash + dash_gap) * width;
  std::vector<Point> pixels;
  for (const Point& p : points) pixels.push_back({p.x * scale_, p.y * scale_});
  std::vector<std::array<Point, 2>> segments;
  double walked = 0;
  for (const std::vector<Point>& piece : inside(pixels, clip_.grown(2 * stroke.width * scale_)))
    for (std::size_t i = 0; i + 1 < piece.size(); ++i) {
      const Point a = piece[i], b = piece[i + 1];
      if (!stroke.dashed) {
        segments.push_back({a, b});
        continue;
      }
      const double length = std::hypot(b.x - a.x, b.y - a.y);
      for (double from = 0; from < length;) {
        const double phase = std::fmod(walked + from, period);
        const double to = std::min(length, from + (phase < dash * width ? dash * width : period) - phase + 1e-9);
        const auto at = [&](double s) { return Point{a.x + (b.x - a.x) * s / length, a.y + (b.y - a.y) * s / length}; };
        if (phase < dash * width) segments.push_back({at(from), at(to)});
        from = to;
      }
      walked += length;
    }
  return segments;
}

// Shapes are made of parts that overlap or share pixels. Their shares of each pixel are collected first, and then each
// pixel takes its colour once: a line that lets through what is below it has no dark joints.
void Canvas::paint(const Pixels& area, const std::vector<float>& coverage, const Color& color) {
  for (int y = area.top, i = 0; y < area.bottom; ++y)
    for (int x = area.left; x < area.right; ++x, ++i) blend(x, y, color, coverage[i]);
}

void Canvas::line(const std::vector<Point>& points, const Stroke& stroke) {
  const Pixels limits = pixels_of(area());
  const int width = limits.right - limits.left;
  std::vector<float> coverage(static_cast<std::size_t>(width) * (limits.bottom - limits.top), 0.0F);
  const double radius = stroke.width * scale_ / 2, reach = radius + 1;
  for (const auto& [a, b] : segments(points, stroke)) {
    const int first = std::max(limits.top, static_cast<int>(std::floor(std::min(a.y, b.y) - reach)));
    const int last = std::min(limits.bottom - 1, static_cast<int>(std::ceil(std::max(a.y, b.y) + reach)));
    for (int y = first; y <= last; ++y) {
      // The part of the segment that is near this row, and the pixels that are near that part.
      Point from = a, to = b;
      if (!cut(from, to, {-1e9, y - reach, 1e9, y + 1 + reach})) continue;
      const int left = std::max(limits.left, static_cast<int>(std::floor(std::min(from.x, to.x) - reach)));
      const int right = std::min(limits.right - 1, static_cast<int>(std::ceil(std::max(from.x, to.x) + reach)));
      for (int x = left; x <= right; ++x) {
        const double depth = radius + 0.5 - distance_to_segment({x + 0.5, y + 0.5}, a, b);
        float& there = coverage[static_cast<std::size_t>(y - limits.top) * width + (x - limits.left)];
        there = std::max(there, static_cast<float>(std::clamp(depth, 0.0, 1.0)));
      }
    }
  }
  paint(limits, coverage, stroke.color);
}

void Canvas::band(const std::vector<Point>& low, const std::vector<Point>& high, const Color& color) {
  constexpr int samples = 4;  // for each column of pixels
  const Pixels limits = pixels_of(area());
  const int width = limits.right - limits.left;
  std::vector<float> coverage(static_cast<std::size_t>(width) * (limits.bottom - limits.top), 0.0F);
  for (std::size_t i = 0; i + 1 < low.size(); ++i) {
    Point a = low[i], b = low[i + 1], c = high[i], d = high[i + 1];
    if (!is_finite(a) || !is_finite(b) || !is_finite(c) || !is_finite(d)) continue;
    if (a.x > b.x) std::swap(a, b), std::swap(c, d);
    const Pixels p = pixels_of({a.x, clip_.top / scale_, b.x, clip_.bottom / scale_});
    for (int sample = 0; sample < samples * (p.right - p.left); ++sample) {
      const double at = p.left + (sample + 0.5) / samples, t = (at / scale_ - a.x) / (b.x - a.x);
      if (t < 0 || t >= 1) continue;
      double top = scale_ * (c.y + t * (d.y - c.y)), bottom = scale_ * (a.y + t * (b.y - a.y));
      if (top > bottom) std::swap(top, bottom);
      top = std::max(top, clip_.top);
      bottom = std::min(bottom, clip_.bottom);
      if (!(top < bottom)) continue;
      for (int y = static_cast<int>(std::floor(top)); y < static_cast<int>(std::ceil(bottom)); ++y) {
        const double rows = std::min(bottom, y + 1.0) - std::max(top, static_cast<double>(y));
        coverage[static_cast<std::size_t>(y - limits.top) * width + (static_cast<int>(at) - limits.left)] +=
            static_cast<float>(rows / samples);
      }
    }
  }
  paint(limits, coverage, color);
}

}  // namespace regard::plot

#include "examples/plot/canvas.h"

#include "tensor/error.h"

#include <algorithm>
#include <cmath>

namespace regard::plot {

Box Box::meet(const Box& other) const {
  return {std::max(left, other.left), std::max(top, other.top), std::min(right, other.right),
          std::min(bottom, other.bottom)};
}

// Upwards, the end of a text is above its start: what is aligned to the top has all of it before.
double TextStyle::before() const {
  const Align run = upwards ? vertical : horizontal;
  return run == Align::center ? 0.5 : (run == Align::end) != upwards ? 1 : 0;
}

// Digits are centred, not descenders.
double TextStyle::drop() const {
  const Align side = upwards ? horizontal : vertical;
  const TextSize height = measure("", size);
  return side == Align::start ? height.ascent : side == Align::center ? 0.365 * size : -height.descent;
}

namespace {

int pixel_count(double points, double scale) {
  const double pixels = std::round(points * scale);
  if (!(pixels >= 1 && pixels <= 20000))
    fail<ValueError>("plot: a picture {} points wide or high at a scale of {} is outside 1 … 20000 pixels", points,
                     scale);
  return static_cast<int>(pixels);
}

// How much of the pixel [i, i + 1) lies in [low, high].
double overlap(int i, double low, double high) {
  return std::clamp(std::min(high, i + 1.0) - std::max(low, static_cast<double>(i)), 0.0, 1.0);
}

}  // namespace

Canvas::Canvas(double width, double height, double scale)
    : scale_(scale), image_(pixel_count(width, scale), pixel_count(height, scale)) {
  marks_.assign(static_cast<std::size_t>(image_.width) * image_.height, 0);
  Canvas::clip(std::nullopt);
}

double Canvas::snapped(double x) const { return std::round(x * scale_) / scale_; }
Box Canvas::snapped(const Box& b) const {
  return {snapped(b.left), snapped(b.top), snapped(b.right), snapped(b.bottom)};
}

void Canvas::clip(const std::optional<Box>& box) {
  clip_ = {0, 0, static_cast<double>(image_.width), static_cast<double>(image_.height)};
  if (box) clip_ = clip_.meet({box->left * scale_, box->top * scale_, box->right * scale_, box->bottom * scale_});
}

Box Canvas::visible() const {
  return {clip_.left / scale_, clip_.top / scale_, clip_.right / scale_, clip_.bottom / scale_};
}

Canvas::Pixels Canvas::pixels_of(const Box& box) const {
  if (!(box.left <= box.right && box.top <= box.bottom)) return {0, 0, 0, 0};  // NaN neither
  const Box inside = clip_.meet({box.left * scale_, box.top * scale_, box.right * scale_, box.bottom * scale_});
  if (!(inside.left < inside.right && inside.top < inside.bottom)) return {0, 0, 0, 0};
  return {static_cast<int>(std::floor(inside.left)), static_cast<int>(std::floor(inside.top)),
          static_cast<int>(std::ceil(inside.right)), static_cast<int>(std::ceil(inside.bottom))};
}

void Canvas::blend(int x, int y, const Color& color, double coverage) {
  const double weight = color.alpha * coverage;
  if (!(weight > 0)) return;
  std::uint8_t* pixel = image_.at(x, y);
  const double parts[] = {color.red, color.green, color.blue};
  for (int i = 0; i < 3; ++i)
    pixel[i] = static_cast<std::uint8_t>(std::lround(pixel[i] + weight * (255 * parts[i] - pixel[i])));
  if (marking_) marks_[static_cast<std::size_t>(y) * image_.width + x] = 1;
}

double Canvas::marked_share(const Box& box) const {
  const Pixels p = pixels_of(box);
  double marked = 0;
  for (int y = p.top; y < p.bottom; ++y)
    for (int x = p.left; x < p.right; ++x) marked += marks_[static_cast<std::size_t>(y) * image_.width + x];
  return marked / std::max(1, (p.right - p.left) * (p.bottom - p.top));
}

void Canvas::clear_marks() { std::fill(marks_.begin(), marks_.end(), std::uint8_t{0}); }

void Canvas::fill(const Box& box, const Color& color) {
  const Pixels p = pixels_of(box);
  for (int y = p.top; y < p.bottom; ++y) {
    const double rows = overlap(y, box.top * scale_, box.bottom * scale_);
    for (int x = p.left; x < p.right; ++x) blend(x, y, color, rows * overlap(x, box.left * scale_, box.right * scale_));
  }
}

void Canvas::frame(const Box& box, const Color& color, double width) {
  const Box outer = snapped(box.grown(width / 2)), inner = outer.grown(-width);
  fill({outer.left, outer.top, outer.right, inner.top}, color);
  fill({outer.left, inner.bottom, outer.right, outer.bottom}, color);
  fill({outer.left, inner.top, inner.left, inner.bottom}, color);
  fill({inner.right, inner.top, outer.right, inner.bottom}, color);
}

void Canvas::disc(const Point& center, double radius, const Color& color) {
  const Pixels p =
      pixels_of({center.x - radius - 1, center.y - radius - 1, center.x + radius + 1, center.y + radius + 1});
  for (int y = p.top; y < p.bottom; ++y)
    for (int x = p.left; x < p.right; ++x) {
      const double distance = std::hypot(x + 0.5 - center.x * scale_, y + 0.5 - center.y * scale_);
      blend(x, y, color, std::clamp(radius * scale_ + 0.5 - distance, 0.0, 1.0));
    }
}

bool Canvas::is_near(const Point& at) { return std::abs(at.x) < 1e6 && std::abs(at.y) < 1e6; }

void Canvas::text(const Point& at, const std::string& text, const TextStyle& style) {
  if (!is_near(at)) return;
  const TextMask mask = render(text, style.size * scale_);
  const double along = style.upwards ? at.y * scale_ : at.x * scale_;
  const double across = style.upwards ? at.x * scale_ : at.y * scale_;

  // Where the text starts along its line, and where the line on which it stands lies.
  const double before = style.before() * measure(text, style.size * scale_).width;
  const int start = static_cast<int>(std::lround(style.upwards ? along + before : along - before));
  const int line = static_cast<int>(std::lround(across + style.drop() * scale_));

  const Pixels limits = pixels_of(area());
  for (int v = 0; v < mask.height; ++v)
    for (int u = 0; u < mask.width; ++u) {
      const std::uint8_t coverage = mask.coverage[static_cast<std::size_t>(v) * mask.width + u];
      const int x = style.upwards ? line + v - mask.baseline : start + u;
      const int y = style.upwards ? start - u - 1 : line + v - mask.baseline;
      if (coverage && x >= limits.left && x < limits.right && y >= limits.top && y < limits.bottom)
        blend(x, y, style.color, coverage / 255.0);
    }
}

void Canvas::pixels(const Box& box, const PixelColor& color) {
  const Box b = snapped(box);
  const Pixels p = pixels_of(b);
  const double width = b.width() * scale_, height = b.height() * scale_;
  for (int y = p.top; y < p.bottom; ++y)
    for (int x = p.left; x < p.right; ++x)
      blend(x, y, color((x - b.left * scale_) / width, (y - b.top * scale_) / height, 1 / width, 1 / height), 1);
}

}  // namespace regard::plot

#pragma once

#include "examples/plot/image.h"
#include "examples/plot/palette.h"
#include "examples/plot/text.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace regard::plot {

struct Point {
  double x, y;
};

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
  Point center() const { return {(left + right) / 2, (top + bottom) / 2}; }
  Box grown(double by) const { return {left - by, top - by, right + by, bottom + by}; }
  Box meet(const Box& other) const;  // what both cover
};

enum class Align { start, center, end };  // left and top, or right and bottom

struct TextStyle {
  double size = 10;
  Color color = ink;
  Align horizontal = Align::start, vertical = Align::start;
  bool upwards = false;  // turned by a quarter: it reads from below

  double before() const;  // the share of the text that stands before the point it is put at
  double drop() const;    // how far across the line on which letters stand is from that point
};

struct Stroke {
  Color color = ink;
  double width = 1.5;
  bool dashed = false;
};
inline constexpr double dash = 4, dash_gap = 2.4;  // in widths of the line

bool is_finite(const Point& p);
double distance_to_segment(const Point& p, const Point& a, const Point& b);
// What of a line is inside a box, in pieces: it breaks where it leaves the box, and where a point is not finite.
std::vector<std::vector<Point>> inside(const std::vector<Point>& points, const Box& box);

// Pixel by pixel, given the place within a box, both in [0, 1), and how much a pixel spans there.
using PixelColor = std::function<Color(double x, double y, double dx, double dy)>;

// Pixels that shapes are drawn on, with smooth edges: a pixel that a shape covers by a third takes a third of its
// colour. Coordinates are points, counted from the top left; a point is `scale` pixels wide, so at 2 all is drawn twice
// as fine.
class Canvas {
 public:
  Canvas(double width, double height, double scale);
  virtual ~Canvas() = default;

  double scale() const { return scale_; }
  const Image& image() const { return image_; }
  Box area() const { return {0, 0, image_.width / scale_, image_.height / scale_}; }
  double snapped(double x) const;  // to the border between two pixels, where edges are sharp
  Box snapped(const Box& box) const;

  virtual void fill(const Box& box, const Color& color);
  virtual void frame(const Box& box, const Color& color, double width = 1);   // centred on the edge of the box
  virtual void line(const std::vector<Point>& points, const Stroke& stroke);  // with round joints and ends
  virtual void disc(const Point& center, double radius, const Color& color);
  // Between points of the same x in both.
  virtual void band(const std::vector<Point>& low, const std::vector<Point>& high, const Color& color);
  virtual void text(const Point& at, const std::string& text, const TextStyle& style);
  virtual void pixels(const Box& box, const PixelColor& color);

  virtual void clip(const std::optional<Box>& box);  // from now on nothing is drawn outside of it

  // Data is marked where it is drawn, so that legends can keep clear of it.
  void mark(bool on) { marking_ = on; }
  double marked_share(const Box& box) const;  // of the pixels of a box
  void clear_marks();

 protected:
  Box visible() const;                   // inside the clip
  static bool is_near(const Point& at);  // not so far outside that a text has no place there, and not NaN

 private:
  struct Pixels {  // a rectangle of pixels, the ends excluded
    int left, top, right, bottom;
  };
  Pixels pixels_of(const Box& box) const;  // those it touches, inside the clip
  void blend(int x, int y, const Color& color, double coverage);
  void paint(const Pixels& area, const std::vector<float>& coverage, const Color& color);
  std::vector<std::array<Point, 2>> segments(const std::vector<Point>& points, const Stroke& stroke) const;

  double scale_;
  Image image_;
  Box clip_;  // in pixels
  std::vector<std::uint8_t> marks_;
  bool marking_ = false;
};

}  // namespace regard::plot

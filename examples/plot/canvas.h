#pragma once

#include "examples/plot/image.h"
#include "examples/plot/palette.h"
#include "examples/plot/text.h"

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
};

struct Stroke {
  Color color = ink;
  double width = 1.5;
  bool dashed = false;
};

// Pixels that shapes are drawn on, with smooth edges: a pixel that a shape covers by a third takes a third of its
// colour. Coordinates are points, counted from the top left; a point is `scale` pixels wide, so at 2 all is drawn twice
// as fine.
class Canvas {
 public:
  Canvas(double width, double height, double scale);

  double scale() const { return scale_; }
  const Image& image() const { return image_; }
  Box area() const { return {0, 0, image_.width / scale_, image_.height / scale_}; }
  double snapped(double x) const;  // to the border between two pixels, where edges are sharp
  Box snapped(const Box& box) const;

  void fill(const Box& box, const Color& color);
  void frame(const Box& box, const Color& color, double width = 1);   // centred on the edge of the box
  void line(const std::vector<Point>& points, const Stroke& stroke);  // with round joints and ends
  void disc(const Point& center, double radius, const Color& color);
  void band(const std::vector<Point>& low, const std::vector<Point>& high, const Color& color);  // same x in both
  void text(const Point& at, const std::string& text, const TextStyle& style);
  // Pixel by pixel over a box: color(x, y) gets the place within the box, both in [0, 1), and how much a pixel spans
  // there.
  void pixels(const Box& box, const std::function<Color(double x, double y, double dx, double dy)>& color);

  void clip(const std::optional<Box>& box);  // from now on nothing is drawn outside of it

  // Data is marked where it is drawn, so that legends can keep clear of it.
  void mark(bool on) { marking_ = on; }
  double marked_share(const Box& box) const;  // of the pixels of a box
  void clear_marks();

 private:
  struct Pixels {  // a rectangle of pixels, the ends excluded
    int left, top, right, bottom;
  };
  Pixels pixels_of(const Box& box) const;  // those it touches, inside the clip
  void blend(int x, int y, const Color& color, double coverage);
  void paint(const Pixels& area, const std::vector<float>& coverage, const Color& color);
  std::vector<std::vector<Point>> pieces(const std::vector<Point>& points, const Stroke& stroke) const;

  double scale_;
  Image image_;
  Box clip_;  // in pixels
  std::vector<std::uint8_t> marks_;
  bool marking_ = false;
};

}  // namespace regard::plot

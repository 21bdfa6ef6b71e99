#pragma once

#include "examples/plot/canvas.h"

#include <string>
#include <vector>

namespace regard::plot {

// How a shape looks, as the attributes of an element.
std::string filled(const Color& color);
std::string edged(const Stroke& stroke);

// Shapes and words as the elements of an SVG file, a line each and each over those before it. Places have one decimal:
// a tenth of a point cannot be seen.
class Svg {
 public:
  void rect(const Box& box, const std::string& look, double round = 0);  // round: the radius of its corners
  void circle(const Point& center, double radius, const std::string& look);
  void line(const std::vector<Point>& points, const Stroke& stroke);
  void area(const std::vector<Point>& corners, const Color& color);
  // As wide as the reader's own font makes it. Room is measured in DejaVu Sans, which is wider than most.
  void text(const Point& at, const std::string& text, const TextStyle& style);
  void begin_clip(const Box& box);  // until end_clip() nothing is seen outside of the box
  void end_clip();

  // A sheet of white with all that on it. The title is what is read aloud; a point is shown as so many pixels.
  std::string file(const Box& sheet, const std::string& title, double pixels = 1) const;

 private:
  std::string inside_;
};

// Of a line only points that are seen: each that is left out is within `tolerance` of what stays.
std::vector<Point> thinned(const std::vector<Point>& points, double tolerance);

// A Canvas that keeps what is drawn as an SVG, too. Its pixels say where legends have room, so that a picture is laid
// out alike in both kinds of file. A heatmap is pixels and nothing else: here it is an error.
class SvgCanvas : public Canvas {
 public:
  using Canvas::Canvas;

  std::string file(const std::string& title) const;

  void fill(const Box& box, const Color& color) override;
  void frame(const Box& box, const Color& color, double width = 1) override;
  void line(const std::vector<Point>& points, const Stroke& stroke) override;
  void disc(const Point& center, double radius, const Color& color) override;
  void band(const std::vector<Point>& low, const std::vector<Point>& high, const Color& color) override;
  void text(const Point& at, const std::string& text, const TextStyle& style) override;
  void pixels(const Box& box, const PixelColor& color) override;
  void clip(const std::optional<Box>& box) override;

 private:
  Svg svg_;
  bool clipped_ = false;
};

}  // namespace regard::plot

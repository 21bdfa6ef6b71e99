#pragma once

#include "examples/plot/svg.h"

#include <string>
#include <vector>

namespace regard::book {

// What a box stands for has one colour in all drawings, that of the lines in the plots.
enum class Tint { plain, query, key, value, weight, quiet };

// A drawing of boxes, arrows and words as an SVG. Places are counted in points from the top left.
class Sketch {
 public:
  using Point = plot::Point;

  Sketch(double width, double height) : width_(width), height_(height) {}

  Sketch& box(const Point& corner, double width, double height, const std::string& text, Tint tint = Tint::plain);
  Sketch& words(const Point& middle, const std::string& text, double size = 14);
  Sketch& line(const std::vector<Point>& points);
  Sketch& arrow(const std::vector<Point>& points, const std::string& text = "", const Point& at = {});  // with a head
  Sketch& dot(const Point& middle, const std::string& text);  // a small circle with a sign in it, such as +

  std::string svg(const std::string& title) const;  // the title is what is read aloud

 private:
  double width_, height_;
  plot::Svg svg_;
};

// A drawing that explains a chapter, pictures/NAME.svg.
struct Drawing {
  std::string name, svg;
};
std::vector<Drawing> explaining_drawings();

}  // namespace regard::book

#pragma once

#include "autograd/variable.h"
#include "examples/plot/heat.h"
#include "examples/plot/palette.h"
#include "examples/plot/scale.h"

#include <optional>
#include <string>
#include <vector>

namespace regard::plot {

// Numbers to draw, wherever they are: in a tensor, a Variable, a vector, or written out.
class Numbers {
 public:
  Numbers(const Tensor& x) : values_(to_vector(x)) {}            // NOLINT: implicit
  Numbers(const Variable& x) : values_(to_vector(x.value())) {}  // NOLINT
  Numbers(std::vector<double> x) : values_(std::move(x)) {}      // NOLINT
  Numbers(std::initializer_list<double> x) : values_(x) {}       // NOLINT

  const std::vector<double>& values() const { return values_; }

 private:
  std::vector<double> values_;
};

struct Style {
  std::string label = {};           // in the legend; none if empty
  std::optional<Color> color = {};  // the next of series_color()
  double width = 1.6;               // of lines, in points
  double size = 2.2;                // of dots: their radius
  double alpha = 1;
  bool dashed = false;
};

struct Series {
  enum class Kind { line, scatter, stem, band, bars } kind;
  std::vector<double> x, y, y2;  // y2: of a band the upper edge; of bars the lower one
  Style style;
  double bar_width = 0;
};

// Words beside a point: right of it, above it (center) or left of it (end).
struct Note {
  double x, y;
  std::string text;
  Align side;
};

// What is to be seen between two axes. Nothing is drawn before the figure is saved.
struct Content {
  std::string title, x_label, y_label;
  std::optional<Range> x_range, y_range;
  bool x_logarithmic = false, y_logarithmic = false, legend = true, frame = true;
  std::vector<std::string> x_tokens;  // words instead of the numbers 0, 1, … below the axis
  std::vector<Series> series;
  std::vector<Note> notes;
  std::vector<Heat> heats;  // over each other
};

// A diagram: what is drawn, and how it is labelled. Everything returns the axes, so that calls can follow each other:
//   figure.axes(0, 0).title("Fits").line(x, y, {.label = "truth"}).scatter(x, noisy);
// NaN and infinities leave a gap.
class Axes {
 public:
  Axes& line(const Numbers& x, const Numbers& y, const Style& style = {});
  Axes& scatter(const Numbers& x, const Numbers& y, const Style& style = {});
  Axes& stem(const Numbers& x, const Numbers& y, const Style& style = {});  // a dot on a stalk that stands on 0
  Axes& band(const Numbers& x, const Numbers& low, const Numbers& high, const Style& style = {});
  Axes& bars(const Numbers& x, const Numbers& y, const Style& style = {});
  Axes& histogram(const Numbers& values, int bins, const Style& style = {});
  Axes& heatmap(const Tensor& matrix, const HeatmapOptions& options = {});  // (rows, columns), row 0 on top
  Axes& note(double x, double y, std::string text, Align side = Align::start);

  Axes& title(std::string text) { return set(content_.title, std::move(text)); }
  Axes& x_label(std::string text) { return set(content_.x_label, std::move(text)); }
  Axes& y_label(std::string text) { return set(content_.y_label, std::move(text)); }
  Axes& x_range(double low, double high) { return set(content_.x_range, chosen("x_range", low, high)); }
  Axes& y_range(double low, double high) { return set(content_.y_range, chosen("y_range", low, high)); }
  Axes& x_logarithmic() { return set(content_.x_logarithmic, true); }
  Axes& y_logarithmic() { return set(content_.y_logarithmic, true); }
  Axes& x_tokens(std::vector<std::string> words) { return set(content_.x_tokens, std::move(words)); }
  Axes& no_legend() { return set(content_.legend, false); }
  Axes& bare() { return set(content_.frame, false); }  // no frame, no ticks

  const Content& content() const { return content_; }
  Content& content() { return content_; }

 private:
  template <class T>
  Axes& set(T& member, T value) {
    member = std::move(value);
    return *this;
  }
  static std::optional<Range> chosen(const char* name, double low, double high);
  Axes& add(Series::Kind kind, const Numbers& x, const Numbers& y, const Style& style);

  Content content_;
};

}  // namespace regard::plot

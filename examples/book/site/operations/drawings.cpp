#include "examples/book/site/operations/drawings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "examples/book/site/operations/measured.h"

namespace regard::site {

namespace {

constexpr double width = 480, height = 300, margin = 34, right_margin = 12, top = 12;
constexpr const char* function_color = "#1f77b4";
constexpr const char* slope_color = "#ff7f0e";

struct Range {
  double low = 0, high = 0;
  void take(const std::vector<double>& numbers) {
    for (const double n : numbers) {
      if (!std::isfinite(n)) continue;
      low = std::min(low, n);
      high = std::max(high, n);
    }
  }
};

// What is to be seen of y: a slope that goes to infinity is cut.
Range range_of(const Measured::Curve& curve) {
  Range of_function, of_both;
  of_function.take(curve.y);
  of_both.take(curve.y);
  of_both.take(curve.slope);
  const double reach = 1.5 * std::max(of_function.high - of_function.low, 1.0);
  return {std::max(of_both.low, of_function.low - reach), std::min(of_both.high, of_function.high + reach)};
}

// 1, 2 or 5 times a power of ten, so that there are about six ticks
double step_of_ticks(double span) {
  const double rough = span / 6, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double nice : {1.0, 2.0, 5.0})
    if (nice * power >= rough) return nice * power;
  return 10 * power;
}

class Plot {
 public:
  Plot(Range x, Range y) : x_(x), y_(y) {
    const double room = 0.04 * (y_.high - y_.low);
    y_.low -= room;
    y_.high += room;
  }

  double across(double x) const { return margin + (x - x_.low) / (x_.high - x_.low) * (width - margin - right_margin); }
  double down(double y) const { return top + (y_.high - y) / (y_.high - y_.low) * (height - 55); }

  std::string grid() const {
    std::string svg;
    const auto line = [&](double x1, double y1, double x2, double y2, bool axis) {
      svg += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2, y2,
                         axis ? "#7f7f7f" : "#eeeeee");
    };
    const auto words = [&](double x, double y, const char* anchor, double value) {
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}{:.6g}</text>\n", x, y, anchor,
                         value < 0 ? "−" : "", std::abs(value));
    };
    for (const bool axis : {false, true}) {
      for (const auto& [range, is_x] : {std::pair(x_, true), std::pair(y_, false)}) {
        const double step = step_of_ticks(range.high - range.low);
        for (double n = std::ceil(range.low / step - 1e-9); n * step <= range.high + 1e-9; ++n) {
          const double value = n == 0 ? 0 : n * step;
          if ((n == 0) != axis) continue;
          if (is_x)
            line(across(value), top, across(value), down(y_.low), axis);
          else
            line(across(x_.low), down(value), across(x_.high), down(value), axis);
        }
        for (double n = std::ceil(range.low / step - 1e-9); axis && n * step <= range.high + 1e-9; ++n) {
          const double value = n == 0 ? 0 : n * step;
          if (is_x)
            words(across(value), down(y_.low) + 14, "middle", value);
          else
            words(margin - 5, down(value) + 4, "end", value);
        }
      }
    }
    return svg;
  }

  // A line through points, which is broken where it jumps.
  std::string line(const std::vector<double>& x, const std::vector<double>& y, const char* color, bool dashed) const {
    Range span;
    span.take(y);
    std::string path;
    bool down_on_paper = false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const bool there = std::isfinite(y[i]) && y[i] >= y_.low && y[i] <= y_.high;
      const bool jumps = i > 0 && std::abs(y[i] - y[i - 1]) > 0.25 * (span.high - span.low);
      if (there) path += fmt::format("{}{:.1f} {:.1f}", down_on_paper && !jumps ? "L" : "M", across(x[i]), down(y[i]));
      down_on_paper = there;
    }
    return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", path, color,
                       dashed ? " stroke-dasharray=\"6 4\"" : "");
  }

 private:
  Range x_, y_;
};

std::string legend() {
  std::string svg;
  const auto entry = [&](double x, const char* words, const char* color, const char* dash) {
    svg += fmt::format(
        "<path d=\"M{0} {1}h26\" stroke=\"{2}\" stroke-width=\"2\"{3}/>\n"
        "<text x=\"{4}\" y=\"{5}\">{6}</text>\n",
        x, height - 9, color, dash, x + 32, height - 5, words);
  };
  entry(margin + 90, "function", function_color, "");
  entry(margin + 230, "its slope", slope_color, " stroke-dasharray=\"6 4\"");
  return svg;
}

std::string as_file(double wide, double high, const std::string& inside) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#262626\">\n{2}"
      "</svg>\n",
      wide, high, inside);
}

}  // namespace

std::string draw_curve(const Measured::Curve& curve) {
  const Plot plot({curve.x.front(), curve.x.back()}, range_of(curve));
  return as_file(width, height,
                 plot.grid() + plot.line(curve.x, curve.slope, slope_color, true) +
                     plot.line(curve.x, curve.y, function_color, false) + legend());
}

std::string draw_influence(const Measured::Influence& influence) {
  const std::size_t rows = influence.rows.size(), columns = influence.rows.front().size();
  constexpr double cell = 22, left = 30, above = 26;
  double largest = 0;
  for (const auto& row : influence.rows)
    for (const double value : row) largest = std::max(largest, std::abs(value));
  std::string svg = fmt::format(
      "<text x=\"{}\" y=\"14\">inputs →</text>\n"
      "<text transform=\"translate(18 {}) rotate(90)\">outputs →</text>\n",
      left, above);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const double share = largest > 0 ? influence.rows[i][j] / largest : 0;
      const char* color = share < 0 ? "#2166ac" : "#b2182b";
      svg += fmt::format(
          "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" fill=\"{}\" "
          "fill-opacity=\"{:.3f}\" stroke=\"#cccccc\"/>\n",
          left + cell * static_cast<double>(j), above + cell * static_cast<double>(i), cell, cell, color,
          std::abs(share));
    }
  }
  const double wide = left + cell * static_cast<double>(columns) + 10;
  return as_file(std::max(wide, 100.0), std::max(above + cell * static_cast<double>(rows) + 10, 100.0), svg);
}

}  // namespace regard::site

#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace regard::plot {

// An interval that grows to hold what is put in. NaN and infinities have no place in it.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  bool empty() const { return !(low <= high); }
  double span() const { return high - low; }
  void include(double x) {
    if (!std::isfinite(x)) return;
    low = std::fmin(low, x);
    high = std::fmax(high, x);
  }
  void include(const Range& other) {
    include(other.low);
    include(other.high);
  }
};

// Where along an axis a number stands: 0 at the low end, 1 at the high one.
struct Scale {
  Range range;
  bool logarithmic = false;

  double operator()(double x) const {  // NaN for what has no place, such as 0 on a logarithmic axis
    if (!logarithmic) return (x / 2 - range.low / 2) / (range.high / 2 - range.low / 2);  // halves do not overflow
    if (!(x > 0)) return std::numeric_limits<double>::quiet_NaN();
    return (std::log(x) - std::log(range.low)) / (std::log(range.high) - std::log(range.low));
  }
};

// A range that can be drawn: not empty, not of width 0, positive if logarithmic, of a span that is a number; with a
// share of it left free at both ends. What lies beyond ±4e307 is outside.
Range drawable(Range range, bool logarithmic, double margin);

struct Tick {
  double value;
  std::string label;  // empty: a small mark without a number
};

// At most about `count` numbers inside the range that are easy to read: multiples of 1, 2 or 5 times a power of ten.
// None for what is not drawable: an end that is not finite, no width.
std::vector<Tick> linear_ticks(const Range& range, int count);
// Powers of ten, written out (0.1, 1, 10) unless some are below 0.001 or above 10000 (10⁻⁶); or, where there are too
// few, their multiples by 2, 3 and 5 too; small marks at the other multiples.
std::vector<Tick> logarithmic_ticks(const Range& range, int count);
std::vector<Tick> ticks(const Scale& scale, int count);

std::string number(double x, int decimals);  // with a real minus sign: −0.5
std::string power_of_ten(int exponent);      // 10⁻³

}  // namespace regard::plot

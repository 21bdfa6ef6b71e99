#include "examples/plot/scale.h"

#include <fmt/format.h>

#include <algorithm>

namespace regard::plot {

namespace {

// Between these all that is done with ranges has a result: beyond, spans overflow; below, numbers lose their digits.
constexpr double smallest = 1e-290, largest = 4e307;

}  // namespace

Range drawable(Range range, bool logarithmic, double margin) {
  if (logarithmic) {
    if (range.empty() || range.high <= 0) range = {1, 10};
    range.high = std::clamp(range.high, smallest, largest);
    range.low = range.low <= 0 ? range.high / 1000 : std::clamp(range.low, smallest, largest);
    if (range.high <= range.low * (1 + 1e-12)) range = {range.low / 2, range.high * 2};
    const double factor = std::pow(10.0, margin * (std::log10(range.high) - std::log10(range.low)));
    return {std::max(range.low / factor, smallest / 1e5), std::min(range.high * factor, 3 * largest)};
  }
  if (range.empty()) range = {0, 1};
  range = {std::clamp(range.low, -largest, largest), std::clamp(range.high, -largest, largest)};
  // A range too narrow for its own digits is a constant.
  const double far = std::max(std::abs(range.low), std::abs(range.high));
  if (range.span() <= std::max(1e-12 * far, smallest)) {
    const double room = far <= smallest ? 1 : 0.1 * far;
    return {range.low - room, range.high + room};
  }
  return {range.low - margin * range.span(), range.high + margin * range.span()};
}

std::string number(double x, int decimals) {
  std::string text = fmt::format("{:.{}f}", std::abs(x), decimals);
  const bool zero = text.find_first_not_of("0.") == std::string::npos;
  return x < 0 && !zero ? "−" + text : text;
}

std::string power_of_ten(int exponent) {
  static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) text += digits[digit - '0'];
  return text;
}

std::vector<Tick> linear_ticks(const Range& range, int count) {
  const double rough = range.span() / std::max(count, 1);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double multiple : {5.0, 2.0, 1.0})
    if (multiple * power >= rough * (1 - 1e-9)) step = multiple * power;
  if (!(step > 0) || !std::isfinite(step)) return {};  // nothing that could be divided

  const double far = std::max(std::abs(range.low), std::abs(range.high));
  const int step_exponent = static_cast<int>(std::floor(std::log10(step * 1.0001)));
  const int exponent = static_cast<int>(std::floor(std::log10(far)));
  const bool scientific = exponent >= 6 || exponent <= -4;  // 2×10⁶ instead of 2000000
  std::vector<Tick> result;
  const double first = std::ceil(range.low / step - 1e-9), last = std::floor(range.high / step + 1e-9);
  // Far from 0 the next double may be more than 1 away, so the ticks are counted, and not what they are multiples of.
  const int steps = static_cast<int>(std::min(last - first, std::max(count, 1) + 1.0));
  for (int i = 0; i <= steps; ++i) {
    const double value = (first + i) * step;
    if (scientific && value != 0)
      result.push_back({value, number(value / std::pow(10.0, exponent), std::max(0, exponent - step_exponent)) + "×" +
                                   power_of_ten(exponent)});
    else
      result.push_back({value, number(value, scientific ? 0 : std::max(0, -step_exponent))});
  }
  return result;
}

std::vector<Tick> logarithmic_ticks(const Range& range, int count) {
  if (!(range.low > 0 && range.high > range.low && std::isfinite(range.high))) return {};
  const int low = static_cast<int>(std::ceil(std::log10(range.low) - 1e-9));
  const int high = static_cast<int>(std::floor(std::log10(range.high) + 1e-9));
  std::vector<Tick> result;
  if (high - low >= 1) {
    const int every = std::max(1, (high - low + count - 1) / std::max(count, 1));
    const bool plain = low >= -3 && high <= 4;  // all of them can be written out
    for (int exponent = low; exponent <= high; exponent += every) {
      const double value = std::pow(10.0, exponent);
      result.push_back({value, plain ? number(value, std::max(0, -exponent)) : power_of_ten(exponent)});
    }
    for (int exponent = low - 1; every == 1 && exponent <= high; ++exponent)  // between them marks without a number
      for (int multiple = 2; multiple < 10; ++multiple)
        if (const double value = multiple * std::pow(10.0, exponent); value >= range.low && value <= range.high)
          result.push_back({value, ""});
    return result;
  }
  for (int exponent = low - 1; exponent <= high; ++exponent)
    for (int multiple = 1; multiple < 10; ++multiple) {  // the marks between show that the axis is logarithmic
      const double value = multiple * std::pow(10.0, exponent);
      if (value < range.low * (1 - 1e-9) || value > range.high * (1 + 1e-9)) continue;
      const std::string plain = exponent < -3 || exponent > 4 ? fmt::format("{}×{}", multiple, power_of_ten(exponent))
                                                              : number(value, std::max(0, -exponent));
      const bool told = multiple == 1 || multiple == 2 || multiple == 3 || multiple == 5;
      result.push_back({value, told ? plain : ""});
    }
  const auto numbers = std::ranges::count_if(result, [](const Tick& tick) { return !tick.label.empty(); });
  return numbers < 2 ? linear_ticks(range, count) : result;
}

std::vector<Tick> ticks(const Scale& scale, int count) {
  return scale.logarithmic ? logarithmic_ticks(scale.range, count) : linear_ticks(scale.range, count);
}

}  // namespace regard::plot

#include "autograd/gradcheck/bisect/mistake.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <utility>

namespace regard::bisecting {
namespace {

bool is_close(double a, double b) { return std::abs(a - b) <= 1e-5 * std::abs(b); }

// Which axis has so many elements: "axis 0 of the result", or "the number of elements of the input".
std::optional<std::string> axis_of_size(std::int64_t size, const Shape& input, const Shape& result) {
  for (const auto& [shape, name] : {std::pair(input, "input"), std::pair(result, "result")}) {
    for (int axis = 0; axis < shape.rank(); ++axis)
      if (shape[axis] == size) return fmt::format("the size of axis {} of the {}", axis, name);
    if (shape.numel() == size) return fmt::format("the number of elements of the {}", name);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> as_written(double c, const Shape& input, const Shape& result) {
  const std::string sign = c < 0 ? "−" : "";
  const double size = std::abs(c);
  for (const bool is_root : {false, true}) {
    const char* root = is_root ? "√" : "";
    for (const bool divides : {false, true}) {
      const double whole = std::pow(divides ? 1 / size : size, is_root ? 2 : 1);
      const std::int64_t n = std::llround(whole);
      if (n < 2 || n > 1000000 || !is_close(whole, static_cast<double>(n))) continue;
      const auto axis = axis_of_size(n, input, result);
      if (!axis && n > 12) continue;
      std::string text = fmt::format("{}{}{}{}", sign, divides ? "1/" : "", root, n);
      return axis ? fmt::format("{}, where {} is {}", text, n, *axis) : text;
    }
  }
  for (int under = 2; under <= 12; ++under)
    for (int over = 2; over <= 12; ++over)
      if (is_close(size, static_cast<double>(over) / under)) return fmt::format("{}{}/{}", sign, over, under);
  return std::nullopt;
}

}  // namespace regard::bisecting

#include "autograd/gradcheck/bisect/table_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace regard::bisecting {
namespace {

bool is_close(double a, double b) { return std::abs(a - b) <= tolerance_of_fits * std::abs(b); }

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

double largest(const Table& a) {
  double size = 0;
  for (const double x : a)
    if (!(std::abs(x) <= size)) size = std::isnan(size) ? size : std::abs(x);
  return size;
}

bool agree(const Table& a, const Table& b, double tolerance) {
  if (a.size() != b.size()) return false;
  const double allowed = tolerance * std::max(largest(a), largest(b));
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= allowed)) return false;
  return true;
}

std::optional<double> ratio(const Table& a, const Table& b, double tolerance) {
  if (a.size() != b.size()) return std::nullopt;
  double product = 0, square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) product += a[i] * b[i], square += a[i] * a[i];
  const double c = product / square;
  if (!std::isfinite(c) || c == 0) return std::nullopt;
  Table scaled = a;
  for (double& x : scaled) x *= c;
  return agree(scaled, b, tolerance) ? std::optional(c) : std::nullopt;
}

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
  for (int under = 1; under <= 12; ++under)
    for (int over = 1; over <= 12; ++over)
      if (is_close(size, static_cast<double>(over) / under))
        return under == 1 ? fmt::format("{}{}", sign, over) : fmt::format("{}{}/{}", sign, over, under);
  return std::nullopt;
}

}  // namespace regard::bisecting

#include "examples/trainers/length_claims.h"

#include "examples/trainers/claims.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <utility>

namespace regard::length_cost {
namespace {

bool near(double a, double b, double distance) { return std::abs(a - b) <= distance; }

// What the fused curve has at the last length of the composed one.
double at_last_of(const Curve& composed, const std::vector<double>& fused) {
  return fused[composed.lengths.size() - 1];
}

std::string megabytes(double bytes) {
  return bytes < 1e8 ? fmt::format("{:.3g} MB", bytes / 1e6) : fmt::format("{:.0f} MB", bytes / 1e6);
}

std::string growth(const char* what, double composed, double fused) {
  return fmt::format("In the last doubling of n {} grows with its power {:.2f} if composed, and {:.2f} if fused.", what,
                     composed, fused);
}

// How many of the lengths, from the shortest on, have more fused than composed.
std::size_t lengths_with_more(const std::vector<double>& fused, const std::vector<double>& composed) {
  std::size_t count = 0;
  while (count < composed.size() && fused[count] > composed[count]) ++count;
  return count;
}

// The lengths between which a doubling more than doubles: the first and the last. Both are 0 if there are none.
std::pair<double, double> bend(const Curve& curve) {
  std::pair<double, double> found{0, 0};
  for (std::size_t i = 1; i < curve.bytes.size(); ++i)
    if (curve.bytes[i] > 2.2 * curve.bytes[i - 1]) {
      if (found.first == 0) found.first = curve.lengths[i - 1];
      found.second = curve.lengths[i];
    }
  return found;
}

}  // namespace

double last_power(const std::vector<double>& y) { return std::log2(y.back() / y[y.size() - 2]); }

std::string about_memory(const Costs& costs) {
  const Curve &composed = costs.composed_step, &fused = costs.fused_step;
  const double many = composed.bytes.back(), few = at_last_of(composed, fused.bytes), n = composed.lengths.back();
  const double power = last_power(composed.bytes), fused_power = last_power(fused.bytes);
  const bool is_as_derived = near(power, 2, 0.2) && near(fused_power, 1, 0.2);
  const std::size_t more = lengths_with_more(fused.bytes, composed.bytes);
  const std::string held =
      fmt::format("At n = {} a step holds {} if composed, and {} if fused", n, megabytes(many), megabytes(few));
  const auto [from, to] = bend(fused);
  return told(
      {{many > 2 * few, fmt::format("{}: {:.0f} times less.", held, many / few)},
       {many <= 2 * few, held + "."},
       {more > 0 && more < composed.lengths.size(),
        fmt::format("Up to n = {} the fused step holds more: its tiles have their size, however short the text is.",
                    composed.lengths[more > 0 ? more - 1 : 0])},
       {is_as_derived,
        "In the end the memory of composed attention, which holds all pairs, grows with n², and that of fused "
        "attention with n."},
       {!is_as_derived, growth("memory", power, fused_power)},
       {is_as_derived && from > 0,
        fmt::format("Between n = {} and {} that of the fused step grows faster for a while: its way back is cut into "
                    "more and more tasks, at most 16, and each holds gradients of all queries of its head.",
                    from, to)}});
}

std::string about_times(const Costs& costs) {
  const Curve &composed = costs.composed_step, &fused = costs.fused_step;
  const double slow = composed.milliseconds.back(), quick = at_last_of(composed, fused.milliseconds),
               n = composed.lengths.back(), ratio = slow / quick;
  const double power = last_power(composed.milliseconds), fused_power = last_power(fused.milliseconds);
  const bool both_square = near(power, 2, 0.3) && near(fused_power, 2, 0.3);
  return told({{both_square, "Both times grow with about n²: both compute every pair."},
               {!both_square, growth("time", power, fused_power)},
               {ratio > 1.1, fmt::format("At n = {} a fused step is {:.1f} times as fast.", n, ratio)},
               {ratio < 1 / 1.1, fmt::format("At n = {} a fused step takes {:.1f} times as long.", n, 1 / ratio)},
               {ratio <= 1.1 && ratio >= 1 / 1.1, fmt::format("At n = {} both take about as long.", n)}});
}

}  // namespace regard::length_cost

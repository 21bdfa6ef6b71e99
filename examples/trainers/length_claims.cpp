#include "examples/trainers/length_claims.h"

#include "examples/trainers/claims.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace regard::length_cost {
namespace {

bool near(double a, double b, double distance) { return std::abs(a - b) <= distance; }

// What the fused curve has at the last length of the composed one.
double at_last_of(const Curve& composed, const std::vector<double>& fused) {
  return fused[composed.lengths.size() - 1];
}

std::string growth(const char* who, double power) {
  return fmt::format("{} grows with n to the power {:.2f}", who, power);
}

}  // namespace

double last_power(const std::vector<double>& y) { return std::log2(y.back() / y[y.size() - 2]); }

std::string about_memory(const Costs& costs) {
  const Curve &composed = costs.composed_step, &fused = costs.fused_step;
  const double many = composed.bytes.back(), few = at_last_of(composed, fused.bytes), n = composed.lengths.back();
  const double power = last_power(composed.bytes), fused_power = last_power(fused.bytes);
  const bool as_said = near(power, 2, 0.2) && near(fused_power, 1, 0.2);
  const std::string held =
      fmt::format("At n = {} a step holds {:.3g} MB composed and {:.3g} MB fused", n, many / 1e6, few / 1e6);
  return told({{many > 2 * few, fmt::format("{}: {:.0f} times less.", held, many / few)},
               {many <= 2 * few, held + "."},
               {as_said,
                "Composed attention holds numbers for all pairs, so its memory grows with n²; that of fused "
                "attention grows with n."},
               {!as_said, fmt::format("In the last doubling {}, and {}.", growth("composed memory", power),
                                      growth("fused memory", fused_power))}});
}

std::string about_times(const Costs& costs) {
  const Curve &composed = costs.composed_step, &fused = costs.fused_step;
  const double slow = composed.milliseconds.back(), quick = at_last_of(composed, fused.milliseconds),
               n = composed.lengths.back(), ratio = slow / quick;
  const double power = last_power(composed.milliseconds), fused_power = last_power(fused.milliseconds);
  const bool both_square = near(power, 2, 0.3) && near(fused_power, 2, 0.3);
  return told({{both_square, "Both times grow with about n²: both compute every pair."},
               {!both_square, fmt::format("In the last doubling {}, and {}.", growth("composed time", power),
                                          growth("fused time", fused_power))},
               {ratio > 1.1, fmt::format("At n = {} a fused step is {:.1f} times as fast.", n, ratio)},
               {ratio < 1 / 1.1, fmt::format("At n = {} a fused step takes {:.1f} times as long.", n, 1 / ratio)},
               {ratio <= 1.1 && ratio >= 1 / 1.1, fmt::format("At n = {} both take about as long.", n)}});
}

}  // namespace regard::length_cost

#include "autograd/gradcheck/element_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace regard::gradchecks {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The wider steps, as multiples of the first one. Wide steps have less rounding in their slopes, narrow ones less of
// what a polynomial cannot follow.
constexpr double widenings[] = {widest_look, 4096, 512, 64, 8};
constexpr double widening_for_kinks = 64;

// The same element with this slope, and how far the gradient is off then.
CheckedElement judged(CheckedElement e, double numeric, double noise, double tolerance) {
  e.numeric = numeric;
  e.noise = noise;
  e.error = std::abs(e.analytic - e.numeric) / std::max(size_of(e), std::max(counts_as_0, e.noise) / tolerance);
  if (!std::isfinite(e.error)) e.error = infinity;
  return e;
}

// The first slopes look like a kink. Either there is one, or rounding inside the function made it look so.
std::optional<Kink> kink_of(const Slopes& first, const SlopeMeter& meter) {
  if (first.half_gap == 0) return std::nullopt;
  const FittedSlopes slopes = meter.fitted(widening_for_kinks);
  const double gap = std::abs(first.half_gap), fitted = std::abs(slopes.half_gap.slope);
  if (!(fitted > std::max(counts_as_0, slopes.half_gap.noise) && fitted > gap / 2 && fitted < gap * 2))
    return std::nullopt;
  const double slope = slopes.central.slope, half_gap = slopes.half_gap.slope;
  return Kink{slope - half_gap, slope + half_gap};
}

// The function may bend much within the first steps, as log x does where x is hardly larger than they are. So slopes
// are fitted over narrower steps, too, with loose rounding. One whose noise leaves it clear, and that agrees, speaks
// for the gradient.
CheckedElement over_narrower_steps(const CheckedElement& e, const SlopeMeter& meter, double tolerance) {
  for (const double narrowing : {64.0, 4096.0, 262144.0}) {
    const FittedSlope found = meter.fitted(1 / narrowing).central;
    const CheckedElement close = judged(e, found.slope, found.noise, tolerance);
    if (close.error <= tolerance && found.noise < tolerance * std::abs(found.slope)) return close;
  }
  return e;
}

// The first slopes disagree with the gradient. Either it is wrong, or rounding inside the function made it look so: in
// e^x/Σe^x of large x, say, it is far more than rounding of the result. So slopes are measured again over wider steps,
// together with their noise. One that is clear, and agrees, speaks for the gradient: a wrong one would agree to six
// digits only by chance. If all are in doubt, the one with the least noise is believed.
//
// As steps get narrower noise falls, until the polynomial follows the function. Then it rises, as rounding weighs more.
// Narrower steps are asked all the same: if the function has a narrow peak at the point, wide steps see only the smooth
// foot of it, or nothing but noise, in which any gradient would pass. Where the slope of narrower steps differs by more
// than the noise of both, the wider ones have missed something, and are not believed. If the first slopes, over steps
// narrower than these, agree with a clear one over wide steps ten times better than the gradient does, there is no such
// peak, and the gradient is wrong.
//
// If the result is the same on both sides of all wide steps, what made a difference over the first, narrow ones was
// rounding: in w·y₁ + (1 − w)·y₂ with y₁ = y₂, say, the last digit may change with w.
CheckedElement over_wider_steps(const CheckedElement& first, const SlopeMeter& meter, double tolerance) {
  CheckedElement best = first;
  best.noise = infinity;
  bool moves = false;
  for (const double widening : widenings) {
    const FittedSlopes slopes = meter.fitted(widening);
    const CheckedElement e = judged(first, slopes.central.slope, slopes.central.noise, tolerance);
    moves = moves || slopes.moves;
    if (!slopes.moves || !std::isfinite(e.numeric) || !std::isfinite(e.noise)) continue;
    const bool wider_missed_it = std::abs(e.numeric - best.numeric) > e.noise + best.noise;
    if (e.noise < best.noise || wider_missed_it) best = e;
    const double difference = std::abs(best.analytic - best.numeric);
    const bool agrees = difference <= tolerance * size_of(best), is_clear = best.noise <= 1e-2 * size_of(best);
    const bool narrow_and_wide_agree = std::abs(first.numeric - best.numeric) <= 0.1 * difference;
    if (is_clear && (agrees || narrow_and_wide_agree)) return best;
  }
  if (!moves) best = judged(first, 0, std::abs(first.numeric), tolerance);
  if (!std::isfinite(best.noise)) best = first;
  return best.error > tolerance ? over_narrower_steps(best, meter, tolerance) : best;
}

}  // namespace

double size_of(const CheckedElement& e) { return std::max(std::abs(e.analytic), std::abs(e.numeric)); }

Compared compare(CheckedElement e, ByRules& by_rules, const SlopeMeter& meter, double tolerance) {
  e.analytic = by_rules.at(e.input, e.index);
  const Slopes first = meter.first();
  e = judged(e, first.central, first.noise, tolerance);
  const std::optional<Kink> kink = kink_of(first, meter);
  if (e.error > tolerance && !kink) e = over_wider_steps(e, meter, tolerance);
  if (e.error > tolerance && std::isfinite(e.error))  // is it the gradient that is rounded?
    e = judged(e, e.numeric, std::max(e.noise, by_rules.noise(e.input, e.index)), tolerance);
  return {e, kink};
}

}  // namespace regard::gradchecks

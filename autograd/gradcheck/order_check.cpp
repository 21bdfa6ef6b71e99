#include "autograd/gradcheck/order_check.h"

#include "autograd/gradcheck/analytic.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace regard::gradchecks {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A gradient below this, or below its rounding, on both sides counts as none; a gap between left and right, too.
constexpr double nothing = 1e-12;

// How many times wider than the first steps the closer look measures. Wide steps have less rounding in their slopes,
// narrow ones less of what a polynomial cannot follow.
constexpr double widenings[] = {widest_look, 4096, 512, 64, 8};
constexpr double widening_for_kinks = 64;

double size_of(const CheckedElement& e) { return std::max(std::abs(e.analytic), std::abs(e.numeric)); }

}  // namespace

void OrderCheck::run(const Functions& f, const std::vector<Tensor>& inputs, const std::vector<Tensor>& cotangents) {
  const std::vector<Tensor> analytic = analytic_gradients(f, inputs, cotangents, options_.layout);
  const SlopeMeter meter(f, inputs, cotangents, options_.eps);
  std::vector<std::vector<double>> noises;  // computed when they are first asked for, which is rare
  const Noise noise = [&](std::size_t input, std::int64_t index) {
    if (noises.empty()) noises = gradient_noise(f, inputs, cotangents, options_.layout);
    return noises[input][static_cast<std::size_t>(index)];
  };
  Told all;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!is_float(inputs[i].dtype())) continue;
    const Told told = check_input(i, to_vector(analytic[i]), meter, noise);
    all.any = all.any || told.any;
    all.clear = all.clear || told.clear;
    // At second order single inputs may well have none: a linear function has no curvature. But not all of them.
    const bool may_be_none = order_ == 2 && !told.any;
    if (is_required(i) && !told.clear && !may_be_none) blame(i, inputs[i].shape(), told);
  }
  if (order_ == 2 && !all.clear)
    set(Verdict::vacuous, all.any ? "all second derivatives are below 100 times the noise in their measurement"
                                  : "all second derivatives are 0");
  const CheckedElement& e = report_.worst_element;
  if (failed_)
    set(Verdict::fail, fmt::format("order {}, {} element {}: analytic {:.10g}, numeric {:.10g}", e.order,
                                   name_of(e.input), place_of(e), e.analytic, e.numeric));
}

OrderCheck::Told OrderCheck::check_input(std::size_t input, const std::vector<double>& analytic,
                                         const SlopeMeter& meter, const Noise& noise) {
  Told told;
  for (std::size_t i = 0; i < analytic.size(); ++i) {
    const CheckedElement e = compare(input, static_cast<std::int64_t>(i), analytic[i], meter, noise);
    told.any = told.any || !(std::abs(e.analytic) <= nothing && std::abs(e.numeric) <= std::max(nothing, e.noise));
    told.clear = told.clear || !(size_of(e) <= std::max(nothing, 100 * e.noise));
    note(e);
  }
  return told;
}

CheckedElement OrderCheck::compare(std::size_t input, std::int64_t index, double analytic, const SlopeMeter& meter,
                                   const Noise& noise) {
  const Slopes slopes = meter.at(input, index);
  CheckedElement e{order_, input, index, analytic, slopes.central, slopes.noise, 0};
  judge(e);
  if (e.error > options_.tolerance || slopes.may_have_kink) look_closer(e, slopes, meter);
  if (e.error > options_.tolerance && std::isfinite(e.error)) {  // is it the gradient that is rounded?
    e.noise = std::max(e.noise, noise(input, index));
    judge(e);
  }
  return e;
}

void OrderCheck::judge(CheckedElement& e) const {
  e.error = std::abs(e.analytic - e.numeric) / std::max(size_of(e), std::max(nothing, e.noise) / options_.tolerance);
  if (!std::isfinite(e.error)) e.error = infinity;
}

// The first slopes disagree with the gradient, or look like a kink. Either it is so, or rounding inside the function
// made it look so: in e^x/Σe^x of large x, say, it is far more than rounding of the result. So slopes are measured
// again over wider steps, together with their noise. One that is clear, and agrees, speaks for the gradient: a wrong
// one would agree to six digits only by chance. If all are in doubt, the one with the least noise is believed.
//
// As steps get narrower noise falls, until the polynomial follows the function. Then it rises, as rounding weighs more.
// Narrower steps are asked all the same: if the function has a narrow peak at the point, wide steps see only the smooth
// foot of it, or nothing but noise, in which any gradient would pass. Where the slope of narrower steps differs by more
// than the noise of both, the wider ones have missed something, and are not believed. If the first slopes, over the
// narrowest steps of all, agree with a clear one over wide steps ten times better than the gradient does, there is no
// such peak, and the gradient is wrong.
//
// If the result is the same on both sides of all wide steps, what made a difference over the first, narrow ones was
// rounding: in w·y₁ + (1 − w)·y₂ with y₁ = y₂, say, the last digit may change with w.
void OrderCheck::look_closer(CheckedElement& element, const Slopes& suspected, const SlopeMeter& meter) {
  if (suspected.may_have_kink) {
    const FittedSlopes slopes = meter.fitted(element.input, element.index, widening_for_kinks);
    const double gap = std::abs(suspected.right - suspected.left) / 2, fitted = std::abs(slopes.half_gap.slope);
    if (fitted > std::max(nothing, slopes.half_gap.noise) && fitted > gap / 2 && fitted < gap * 2)
      return note_kink(element, slopes.central.slope, slopes.half_gap.slope);
    if (element.error <= options_.tolerance) return;
  }
  const CheckedElement best = over_wider_steps(element, meter);
  if (std::isfinite(best.noise)) element = best;
}

CheckedElement OrderCheck::over_wider_steps(const CheckedElement& element, const SlopeMeter& meter) const {
  CheckedElement best = element;
  best.noise = infinity;
  bool moves = false;
  for (const double widening : widenings) {
    const FittedSlopes slopes = meter.fitted(element.input, element.index, widening);
    CheckedElement e = element;
    e.numeric = slopes.central.slope;
    e.noise = slopes.central.noise;
    judge(e);
    moves = moves || slopes.moves;
    if (!slopes.moves || !std::isfinite(e.numeric) || !std::isfinite(e.noise)) continue;
    const bool wider_missed_it = std::abs(e.numeric - best.numeric) > e.noise + best.noise;
    if (e.noise < best.noise || wider_missed_it) best = e;
    const double difference = std::abs(best.analytic - best.numeric);
    const bool agrees = difference <= options_.tolerance * size_of(best), is_clear = best.noise <= 1e-2 * size_of(best);
    const bool narrow_and_wide_agree = std::abs(element.numeric - best.numeric) <= 0.1 * difference;
    if (is_clear && (agrees || narrow_and_wide_agree)) break;
  }
  if (!moves) {
    best.numeric = 0;
    best.noise = std::abs(element.numeric);
    judge(best);
  }
  return best;
}

void OrderCheck::note(const CheckedElement& element) {
  if (order_ == 1) ++report_.element_count;
  if (options_.keep_elements) report_.elements.push_back(element);
  double& worst = order_ == 1 ? report_.worst : report_.worst_second;
  if (element.error > std::max(report_.worst, report_.worst_second)) report_.worst_element = element;
  worst = std::max(worst, element.error);
  failed_ = failed_ || (element.error > options_.tolerance && !kinked_);
  kinked_ = false;
}

void OrderCheck::note_kink(const CheckedElement& element, double slope, double half_gap) {
  kinked_ = true;
  set(Verdict::kink,
      fmt::format("{}{} element {}: the slope{} is {:.6g} to the left and {:.6g} to the right; move the input away "
                  "from the kink",
                  order_ == 2 ? "order 2, " : "", name_of(element.input), place_of(element),
                  order_ == 2 ? " of the gradient" : "", slope - half_gap, slope + half_gap));
}

bool OrderCheck::is_required(std::size_t input) const {
  return options_.required < 0 || input < static_cast<std::size_t>(options_.required);
}

// At second order the inputs are followed by the cotangent.
std::string OrderCheck::name_of(std::size_t input) const {
  if (input < options_.names.size()) return options_.names[input];
  return input < report_.shapes.size() ? fmt::format("input {}", input) : "the cotangent";
}

// "2" in a list; "[1, 2]" in a matrix.
std::string OrderCheck::place_of(const CheckedElement& element) const {
  const bool is_list = element.input >= report_.shapes.size() || report_.shapes[element.input].rank() < 2;
  return is_list ? std::to_string(element.index) : index_of(report_.shapes[element.input], element.index);
}

void OrderCheck::blame(std::size_t input, const Shape& shape, const Told& told) {
  if (shape.numel() == 0)
    set(Verdict::vacuous, fmt::format("{} has no elements", name_of(input)));
  else if (told.any)
    set(Verdict::vacuous,
        fmt::format("{}{}: nothing could be told, its gradients are below 100 times the noise in their measurement",
                    order_ == 2 ? "order 2, " : "", name_of(input)));
  else
    set(Verdict::vacuous, fmt::format("{}: analytic and numeric gradients are both 0", name_of(input)));
}

// A failure outweighs a kink, and a kink outweighs a vacuous input. Of equals the first is told.
void OrderCheck::set(Verdict verdict, std::string reason) {
  const auto weight = [](Verdict v) { return v == Verdict::fail ? 3 : v == Verdict::kink ? 2 : v == Verdict::vacuous; };
  if (weight(verdict) <= weight(report_.verdict)) return;
  report_.verdict = verdict;
  report_.reason = std::move(reason);
}

}  // namespace regard::gradchecks

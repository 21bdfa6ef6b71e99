#include "autograd/gradcheck/bisect/unrecorded.h"

#include "autograd/gradcheck/bisect/suspects.h"
#include "autograd/gradcheck/cotangent.h"
#include "autograd/observe.h"
#include "tensor/compare.h"
#include "tensor/create.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace regard::bisecting {
namespace {

using Meeting = RecordedRun::Meeting;

Meeting meet_with_operands_moved(const RecordedRun& run, std::size_t k, double t, const std::vector<Tensor>& moves) {
  return run.meet(k, t, only(sources_of(run, k), moves));
}

// An input that is no operand, and is not what it was.
std::optional<std::size_t> input_that_moved(const RecordedRun& run, std::size_t k, const Meeting& met) {
  const graph::Inputs &before = run.node(k).inputs, &now = met.recorded.node()->inputs;
  for (std::size_t i = 0; i < now.size(); ++i)
    if (!run.can_be_moved(before[i]) && !identical(now[i].value(), before[i].value())) return i;
  return std::nullopt;
}

bool rule_moved(const RecordedRun& run, std::size_t k, const Meeting& met) {
  const NoGrad no_grad;
  const InsideRule guard;
  Generator generator(k);
  const Variable g(gradchecks::random_cotangent(run.result(k).shape(), generator));
  const Saved saved{run.node(k).inputs, run.result(k)};
  const graph::Gradients before = run.node(k).rule(g, saved), now = met.recorded.node()->rule(g, saved);
  return !std::ranges::equal(before, now, [](const Variable& a, const Variable& b) {
    return a.defined() == b.defined() && (!a.defined() || identical(a.value(), b.value()));
  });
}

// y = c·x + d: are c and d other numbers now? The rule tells c only. So a line is laid through the old values, and the
// new ones must be on it.
bool line_moved(const RecordedRun& run, std::size_t k, const Meeting& met) {
  const std::vector<double> x = to_vector(run.node(k).inputs[0].value()), y = to_vector(run.result(k).value());
  std::optional<std::size_t> low, high;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
    if (!low || x[i] < x[*low]) low = i;
    if (!high || x[i] > x[*high]) high = i;
  }
  if (!low) return false;
  const double range = x[*high] - x[*low], size = std::max(std::abs(x[*low]), std::abs(x[*high]));
  if (!(range > 1e-3 * size)) return false;  // two points that are too close
  const double c = (y[*high] - y[*low]) / range;
  const std::vector<double> new_x = to_vector(met.recorded.node()->inputs[0].value()), new_y = to_vector(met.computed);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double on_line = y[*low] + c * (new_x[i] - x[*low]);
    const double scale = std::abs(y[*low]) + std::abs(y[*high]) + std::abs(c) * size;
    if (std::isfinite(x[i]) && std::abs(new_y[i] - on_line) > 1e-11 * scale) return true;
  }
  return false;
}

// c·x + d and xᶜ are the operations of the library that take numbers; what other rules hold is not known.
bool number_moved(const RecordedRun& run, std::size_t k, const Meeting& met) {
  const OpInfo* one = &run.node(k).op;
  if (one == &op("affine")) return rule_moved(run, k, met) || line_moved(run, k, met);
  return one == &op("pow") && rule_moved(run, k, met);
}

}  // namespace

std::optional<std::string> unrecorded_with_operands(const RecordedRun& run, std::size_t k, double t,
                                                    const std::vector<Tensor>& moves) {
  const Meeting met = meet_with_operands_moved(run, k, t, moves);
  if (const auto i = input_that_moved(run, k, met))
    return fmt::format(
        "its input {} moves with the others, but how was not recorded (detach, or value()): no gradient "
        "flows that way",
        *i);
  if (!number_moved(run, k, met)) return std::nullopt;
  return "a number in it moves with its inputs, but how was not recorded (a value taken out by item() or value()): no "
         "gradient flows that way";
}

std::optional<std::string> unrecorded_with_others(const RecordedRun& run, std::size_t k, double t,
                                                  const std::vector<Tensor>& moves) {
  std::set<std::size_t> others;
  for (std::size_t i = 0; i < moves.size(); ++i) others.insert(i);
  for (const std::size_t own : sources_of(run, k)) others.erase(own);
  const Meeting met = run.meet(k, t, only(others, moves));
  if (const auto i = input_that_moved(run, k, met))
    return fmt::format("its input {} moves, but how was not recorded (detach, or value()): no gradient flows that way",
                       *i);
  if (identical(met.computed, run.result(k).value())) return std::nullopt;
  return "its result moves with something that was not recorded (a value taken out by item() or value()): no gradient "
         "flows that way";
}

bool rule_moves_with_operands(const RecordedRun& run, std::size_t k, double t, const std::vector<Tensor>& moves) {
  return rule_moved(run, k, meet_with_operands_moved(run, k, t, moves));
}

}  // namespace regard::bisecting

#include "autograd/gradcheck/bisect/suspects.h"

#include "autograd/gradcheck/bisect/table.h"
#include "autograd/gradcheck/cotangent.h"
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"

#include <algorithm>

namespace regard::bisecting {
namespace {

using Rerun = RecordedRun::Rerun;

constexpr double step = 1e-6;  // of the moves

Rerun run_with_operands_moved(const RecordedRun& run, std::size_t k, const Moves& moves) {
  return run.run_up_to(k, step, only(sources_of(run, k), moves));
}

// An input that is no operand, and is not what it was.
std::optional<std::size_t> input_that_moved(const RecordedRun& run, std::size_t k, const Rerun& now) {
  const graph::Inputs &before = run.node(k).inputs, &after = now.last.node()->inputs;
  for (std::size_t i = 0; i < after.size(); ++i)
    if (!run.can_be_moved(before[i]) && !identical(after[i].value(), before[i].value())) return i;
  return std::nullopt;
}

// Does the rule of that run, given what the rule of the first run sees, return something else?
bool rule_moved(const RecordedRun& run, std::size_t k, const Rerun& now) {
  const Variable& result = run.result(k);
  Generator generator(k);
  const Tensor g = gradchecks::random_cotangent(result.shape(), generator);
  const Variable with_new_rule = record(run.node(k).op, run.node(k).inputs, result.value(), now.last.node()->rule);
  return !std::ranges::equal(run.by_rule(k, result, g), run.by_rule(k, with_new_rule, g), identical);
}

// y = c·x + d: are c and d other numbers now? The rule tells c only. So the line that fits best is laid through the old
// values, and the new ones must be on it.
bool line_moved(const RecordedRun& run, std::size_t k, const Rerun& now) {
  const Tensor x = run.node(k).inputs[0].value(), y = run.result(k).value();
  const Tensor counts = is_finite(x) * is_finite(y);
  const double count = sum(counts).item();
  const double mean_x = sum(where(counts, x, 0)).item() / count, mean_y = sum(where(counts, y, 0)).item() / count;
  const Tensor dx = where(counts, x - mean_x, 0), dy = where(counts, y - mean_y, 0);
  if (!(largest(dx) > 1e-3 * largest(where(counts, x, 0)))) return false;  // points that are too close
  const double c = sum(dx * dy).item() / sum(dx * dx).item();
  const Tensor new_x = now.last.node()->inputs[0].value(), new_y = now.computed.back();
  const Tensor off = new_y - mean_y - c * (new_x - mean_x);
  const double size = largest(where(counts, y, 0)) + std::abs(c) * largest(where(counts, x, 0));
  return largest(where(counts, off, 0)) > 1e-11 * size;
}

// c·x + d and xᶜ are the operations of the library that take numbers; what other rules hold is not known.
bool number_moved(const RecordedRun& run, std::size_t k, const Rerun& now) {
  const OpInfo* one = &run.node(k).op;
  if (one == &op("affine")) return rule_moved(run, k, now) || line_moved(run, k, now);
  return one == &op("pow") && rule_moved(run, k, now);
}

}  // namespace

std::optional<std::string> unrecorded_with_operands(const RecordedRun& run, std::size_t k, const Moves& moves) {
  const Rerun now = run_with_operands_moved(run, k, moves);
  if (const auto i = input_that_moved(run, k, now))
    return fmt::format(
        "its input {} moves with the others, but how was not recorded (detach, or value()): no gradient "
        "flows that way",
        *i);
  if (!number_moved(run, k, now)) return std::nullopt;
  return "a number in it moves with its inputs, but how was not recorded (a value taken out by item() or value()): no "
         "gradient flows that way";
}

std::optional<std::string> unrecorded_with_others(const RecordedRun& run, std::size_t k, const Moves& moves) {
  std::set<std::size_t> others;
  for (std::size_t i = 0; i < moves.size(); ++i) others.insert(i);
  for (const std::size_t own : sources_of(run, k)) others.erase(own);
  const Rerun now = run.run_up_to(k, step, only(others, moves));
  if (const auto i = input_that_moved(run, k, now))
    return fmt::format("its input {} moves, but how was not recorded (detach, or value()): no gradient flows that way",
                       *i);
  if (identical(now.computed.back(), run.result(k).value())) return std::nullopt;
  return "its result moves with something that was not recorded (a value taken out by item() or value()): no gradient "
         "flows that way";
}

bool rule_moves_with_operands(const RecordedRun& run, std::size_t k, const Moves& moves) {
  return rule_moved(run, k, run_with_operands_moved(run, k, moves));
}

}  // namespace regard::bisecting

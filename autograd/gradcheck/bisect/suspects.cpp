#include "autograd/gradcheck/bisect/suspects.h"

#include "autograd/gradcheck/bisect/table.h"
#include "autograd/gradcheck/cotangent.h"
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace regard::bisecting {
namespace {

const GradcheckOptions options;
constexpr double step = 1e-6;  // of a single move

// An operand whose influence is below this part of the whole is tested by itself.
constexpr double little = 1e-3;
// Elements of the result that move less than the fastest one count as if they moved as fast, down to this part of it.
constexpr double slow = 1e-2;

using Sources = std::set<std::size_t>;  // indexes among the values that can be moved

Sources sources_of(const RecordedRun& run, std::size_t k) {
  Sources sources;
  for (const RecordedRun::Operand& operand : run.operands(k)) sources.insert(operand.source);
  return sources;
}

// The moves of these values, or of all but these; the others stand still.
Moves only(const Sources& sources, const Moves& moves, bool all_but = false) {
  Moves list;
  for (std::size_t i = 0; i < moves.size(); ++i)
    list.push_back(sources.contains(i) != all_but ? moves[i] : zeros(moves[i].shape(), moves[i].dtype()));
  return list;
}

// How fast the results of all operations move, dy.
std::vector<Tensor> speeds_of_results(const RecordedRun& run, const Moves& moves) {
  return speeds([&](double t) { return run.moved(t, moves).computed; });
}

// The gradient g that stands in for the one that arrives: random numbers, and larger where the result moves slowly. So
// a mistake in a small element is not drowned by the large ones. Where the result is infinite it is 0: the sum of what
// was measured would be infinite, too.
Tensor gradient_for(const Tensor& result, const Tensor& dy, std::size_t k) {
  Generator generator(options.seed + 1 + k);
  const Tensor random = gradchecks::random_cotangent(result.shape(), generator);
  const double fastest = largest(dy);
  const Tensor even = fastest == 0 ? random : random / maximum(abs(dy) / fastest, slow);
  return where(is_finite(result), even, 0);
}

struct Comparison {
  bool agrees;
  Sources drowned;  // operands that have little influence
};

// Is Σ ∂x·dx what was measured as Σ g·dy? Rounding of the result, about 2⁻⁵² of its size, is divided by the step.
Comparison compare(const RecordedRun& run, std::size_t k, const Tensor& dy, const Moves& moves) {
  const Tensor& y = run.result(k).value();
  const Tensor g = gradient_for(y, dy, k);
  const std::vector<RecordedRun::Operand> operands = run.operands(k);
  std::vector<Tensor> parts = run.by_rule(k, run.result(k), g);
  double by_rule = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i] = parts[i] * moves[operands[i].source];
    by_rule += sum(parts[i]).item();
  }
  const double measured = sum(g * dy).item(), size = std::max(std::abs(by_rule), std::abs(measured));
  const double noise = 8 * std::numeric_limits<double>::epsilon() / options.eps * largest(finite_part(y)) *
                       std::sqrt(sum(square(g)).item());
  Comparison c{std::abs(by_rule - measured) <= options.tolerance * size + noise, {}};
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (sum(abs(parts[i])).item() < little * size) c.drowned.insert(operands[i].source);
  return c;
}

// An operand that is to be tested while the others of its operation stand still.
struct Drowned {
  std::size_t k, source;
};

// Tests as many as can be in the same four runs, and returns the others. The operations that disagree are `found`.
std::vector<Drowned> test_some(const RecordedRun& run, const std::vector<Drowned>& list, const Moves& moves,
                               std::set<std::size_t>& found) {
  std::vector<Drowned> now, later;
  Sources moving, still;
  for (const Drowned& one : list) {
    Sources others = sources_of(run, one.k);
    others.erase(one.source);
    const auto moves_already = [&](std::size_t other) { return moving.contains(other); };
    const bool can = !still.contains(one.source) && std::ranges::none_of(others, moves_already);
    (can ? now : later).push_back(one);
    if (!can) continue;
    moving.insert(one.source);
    still.insert(others.begin(), others.end());
  }
  const Moves own = only(moving, moves);
  const std::vector<Tensor> dy = speeds_of_results(run, own);
  for (const Drowned& one : now)
    if (!compare(run, one.k, dy[one.k], own).agrees) found.insert(one.k);
  return later;
}

}  // namespace

std::vector<std::size_t> suspects(const RecordedRun& run, const Moves& moves) {
  const std::vector<Tensor> dy = speeds_of_results(run, moves);
  std::set<std::size_t> found;
  std::vector<Drowned> drowned;
  for (std::size_t k = 0; k < run.operation_count(); ++k) {
    const Comparison c = compare(run, k, dy[k], moves);
    if (!c.agrees) found.insert(k);
    for (const std::size_t source : c.drowned)
      if (c.agrees) drowned.push_back({k, source});
  }
  while (!drowned.empty()) drowned = test_some(run, drowned, moves, found);
  return {found.begin(), found.end()};
}

bool input_moves_along(const RecordedRun& run, std::size_t k, const Moves& moves) {
  const auto now = run.moved(step, only(sources_of(run, k), moves));
  const graph::Inputs &before = run.node(k).inputs, &after = now.recorded[k].node()->inputs;
  for (std::size_t i = 0; i < after.size(); ++i)
    if (!run.can_be_moved(before[i]) && !identical(after[i].value(), before[i].value())) return true;
  return false;
}

bool moves_with_others(const RecordedRun& run, std::size_t k, const Moves& moves) {
  const auto now = run.moved(step, only(sources_of(run, k), moves, true));
  return !identical(now.computed[k], run.result(k).value());
}

// The rule of that run is given what the rule of the first run sees.
bool holds_what_moves_along(const RecordedRun& run, std::size_t k, const Moves& moves) {
  if (&run.node(k).op == &op("affine")) return true;  // c·x + d: the rule does not show whether d moves
  const auto now = run.moved(step, only(sources_of(run, k), moves));
  const Variable& result = run.result(k);
  const Tensor g = gradient_for(result.value(), result.value(), k);
  const Variable with_new_rule =
      record(run.node(k).op, run.node(k).inputs, result.value(), now.recorded[k].node()->rule);
  return !std::ranges::equal(run.by_rule(k, result, g), run.by_rule(k, with_new_rule, g), identical);
}

}  // namespace regard::bisecting

#include "autograd/gradcheck/bisect/suspects.h"

#include "autograd/gradcheck/bisect/table.h"
#include "autograd/gradcheck/cotangent.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace regard::bisecting {
namespace {

const GradcheckOptions options;

// An operand whose influence is below this part of the whole is tested by itself.
constexpr double little = 1e-3;
// Elements of the result that move less than the fastest one count as if they moved as fast, down to this part of it.
constexpr double slow = 1e-2;

// How fast the results of operations 0 … k move, dy.
std::vector<Tensor> speeds_up_to(const RecordedRun& run, std::size_t k, const Moves& moves) {
  return speeds([&](double t) { return run.run_up_to(k, t, moves).computed; });
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
  std::vector<std::size_t> drowned;  // the sources of the operands that have little influence
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
    if (sum(abs(parts[i])).item() < little * size) c.drowned.push_back(operands[i].source);
  return c;
}

// An operand that is to be tested while the others of its operation stand still.
struct Drowned {
  std::size_t k, source;
};

// Tests as many as can be in the same four runs, and returns the others.
std::vector<Drowned> test_some(const RecordedRun& run, const std::vector<Drowned>& list, const Moves& moves,
                               std::set<std::size_t>& found) {
  std::vector<Drowned> now, later;
  std::set<std::size_t> moving, still;
  for (const Drowned& one : list) {
    std::set<std::size_t> others = sources_of(run, one.k);
    others.erase(one.source);
    const bool can = !still.contains(one.source) &&
                     std::ranges::none_of(others, [&](std::size_t other) { return moving.contains(other); });
    (can ? now : later).push_back(one);
    if (!can) continue;
    moving.insert(one.source);
    still.insert(others.begin(), others.end());
  }
  const Moves moves_now = only(moving, moves);
  const std::vector<Tensor> dy = speeds_up_to(run, list.back().k, moves_now);
  for (const Drowned& one : now)
    if (!compare(run, one.k, dy[one.k], moves_now).agrees) found.insert(one.k);
  return later;
}

}  // namespace

Moves only(const std::set<std::size_t>& sources, const Moves& moves) {
  Moves list;
  for (std::size_t i = 0; i < moves.size(); ++i)
    list.push_back(sources.contains(i) ? moves[i] : zeros(moves[i].shape(), moves[i].dtype()));
  return list;
}

std::set<std::size_t> sources_of(const RecordedRun& run, std::size_t k) {
  std::set<std::size_t> sources;
  for (const RecordedRun::Operand& operand : run.operands(k)) sources.insert(operand.source);
  return sources;
}

std::vector<std::size_t> suspects(const RecordedRun& run, const Moves& moves) {
  if (run.operation_count() == 0) return {};
  const std::vector<Tensor> dy = speeds_up_to(run, run.operation_count() - 1, moves);
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

bool agrees_alone(const RecordedRun& run, std::size_t k, const Moves& moves) {
  const Moves own = only(sources_of(run, k), moves);
  return compare(run, k, speeds_up_to(run, k, own)[k], own).agrees;
}

}  // namespace regard::bisecting

#include "autograd/gradcheck/bisect/suspects.h"

#include "autograd/gradcheck/bisect/mistake.h"
#include "autograd/gradcheck/cotangent.h"
#include "tensor/compare.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace regard::bisecting {
namespace {

using Values = RecordedRun::Values;

const GradcheckOptions options;
constexpr double step = 1e-6;  // of a single move

// An operand whose influence is below this part of the whole is tested by itself.
constexpr double little = 1e-3;
// Elements of the result that move less than the fastest one count as if they moved as fast, down to this part of it.
constexpr double slow = 1e-2;

Values operands_of(const RecordedRun& run, std::size_t operation) {
  Values values;
  for (const RecordedRun::Operand& one : run.operands(operation)) values.insert(one.value);
  return values;
}

Values all_but(const RecordedRun& run, const Values& left_out) {
  Values all;
  for (std::size_t n = 0; n < run.end(); ++n)
    if (!left_out.contains(n)) all.insert(n);
  return all;
}

// The gradient g that stands in for the one that arrives: random numbers, and larger where the result moves slowly. So
// a mistake in a small element is not drowned by the large ones.
Tensor gradient_for(const Tensor& dy, std::size_t operation) {
  Generator random(options.seed + 1 + operation);
  const Tensor g = gradchecks::random_cotangent(dy.shape(), random);
  const double fastest = largest(dy);
  return fastest == 0 ? g : g / maximum(abs(dy) / fastest, slow);
}

struct Comparison {
  bool agrees;
  Values drowned;  // operands that have little influence
};

// Is Σ ∂x·dx what was measured as Σ g·dy? Rounding of the result, about 2⁻⁵² of its size, is divided by the step.
Comparison compare(const RecordedRun& run, std::size_t operation, const Tensor& dy, const Values& moving) {
  const Tensor g = gradient_for(dy, operation);
  const std::vector<RecordedRun::Operand> operands = run.operands(operation);
  std::vector<Tensor> parts = run.by_rule(operation, run.node(operation).rule, g);
  double by_rule = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::size_t x = operands[p].value;
    parts[p] = moving.contains(x) ? parts[p] * run.direction(x) : 0 * run.direction(x);
    by_rule += sum(parts[p]).item();
  }
  const double measured = sum(g * dy).item(), size = std::max(std::abs(by_rule), std::abs(measured));
  const double largest_result = largest(finite_part(run.value(operation).value()));
  const double noise =
      8 * std::numeric_limits<double>::epsilon() / options.eps * largest_result * std::sqrt(sum(square(g)).item());
  Comparison c{std::abs(by_rule - measured) <= options.tolerance * size + noise, {}};
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (sum(abs(parts[p])).item() < little * size) c.drowned.insert(operands[p].value);
  return c;
}

// An operand that is to be tested while the others of its operation stand still.
struct Drowned {
  std::size_t operation, operand;
};

// Tests as many as can be in the same four runs, and returns the others. The operations that disagree are `found`.
std::vector<Drowned> test_some(const RecordedRun& run, const std::vector<Drowned>& list, Values& found) {
  std::vector<Drowned> now, later;
  Values moving, still;
  for (const Drowned& one : list) {
    Values others = operands_of(run, one.operation);
    others.erase(one.operand);
    const auto is_moving = [&](std::size_t other) { return moving.contains(other); };
    const bool can = !still.contains(one.operand) && std::ranges::none_of(others, is_moving);
    (can ? now : later).push_back(one);
    if (!can) continue;
    moving.insert(one.operand);
    still.insert(others.begin(), others.end());
  }
  const std::vector<Tensor> dy = run.speeds_of_results(moving);
  for (const Drowned& one : now)
    if (!compare(run, one.operation, dy[one.operation], moving).agrees) found.insert(one.operation);
  return later;
}

}  // namespace

std::vector<std::size_t> suspects(const RecordedRun& run) {
  const Values all = all_but(run, {});
  const std::vector<Tensor> dy = run.speeds_of_results(all);
  Values found;
  std::vector<Drowned> drowned;
  for (std::size_t operation = run.first_operation(); operation < run.end(); ++operation) {
    const Comparison c = compare(run, operation, dy[operation], all);
    if (!c.agrees) found.insert(operation);
    for (const std::size_t operand : c.drowned)
      if (c.agrees) drowned.push_back({operation, operand});
  }
  while (!drowned.empty()) drowned = test_some(run, drowned, found);
  return {found.begin(), found.end()};
}

bool input_moves_along(const RecordedRun& run, std::size_t operation) {
  const auto now = run.moved(step, operands_of(run, operation));
  const graph::Inputs &before = run.node(operation).inputs, &after = now.recorded[operation].node()->inputs;
  for (std::size_t i = 0; i < after.size(); ++i)
    if (!run.can_be_moved(before[i]) && !identical(after[i].value(), before[i].value())) return true;
  return false;
}

bool moves_with_others(const RecordedRun& run, std::size_t operation) {
  const auto now = run.moved(step, all_but(run, operands_of(run, operation)));
  return !identical(now.computed[operation], run.value(operation).value());
}

// The rule of that run is given what the rule of the first run sees.
bool holds_what_moves_along(const RecordedRun& run, std::size_t operation) {
  if (&run.node(operation).op == &op("affine")) return true;  // c·x + d: the rule does not show whether d moves
  const auto now = run.moved(step, operands_of(run, operation));
  const auto gradients = [&](const graph::Rule& rule) {
    return run.by_rule(operation, rule, gradient_for(run.value(operation).value(), operation));
  };
  return !std::ranges::equal(gradients(run.node(operation).rule), gradients(now.recorded[operation].node()->rule),
                             identical);
}

}  // namespace regard::bisecting

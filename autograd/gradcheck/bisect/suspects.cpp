#include "autograd/gradcheck/bisect/suspects.h"

#include "autograd/gradcheck/bisect/finite.h"
#include "autograd/gradcheck/bisect/table_fit.h"
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

// How fast each element moves. What stays the same does not, even if it is infinite: −∞ − −∞ would be NaN.
Tensor speed(const Tensor& above, const Tensor& below, double width) {
  return where(equal(above, below), 0, above - below) / width;
}

// How fast the result of each operation moves, dy: over steps of h and h/2, put together so that the bend cancels.
std::vector<Tensor> measured_speeds(const RecordedRun& run, const std::vector<Tensor>& moves) {
  const auto speeds_over = [&](double t) {
    std::vector<Tensor> above = run.results_when_all_move(t, moves);
    const std::vector<Tensor> below = run.results_when_all_move(-t, moves);
    for (std::size_t k = 0; k < above.size(); ++k) above[k] = speed(above[k], below[k], 2 * t);
    return above;
  };
  const std::vector<Tensor> wide = speeds_over(options.eps);
  std::vector<Tensor> speeds = speeds_over(options.eps / 2);
  for (std::size_t k = 0; k < speeds.size(); ++k) speeds[k] = (4 * speeds[k] - wide[k]) / 3;
  return speeds;
}

// The gradient g that stands in for the one that arrives: random numbers, and larger where the result moves slowly. So
// a mistake in a small element is not drowned by the large ones. Where the result is infinite it is 0: the sum of what
// was measured would be infinite, too.
Tensor gradient_for(const Tensor& result, const Tensor& dy, std::size_t k) {
  Generator generator(options.seed + 1 + k);
  const Tensor random = gradchecks::random_cotangent(result.shape(), generator);
  const double fastest = largest(to_vector(dy));
  const Tensor even = fastest == 0 ? random : random / maximum(abs(dy) / fastest, slow);
  return where(is_finite(result), even, 0);
}

struct Comparison {
  bool agrees;
  double size;                               // of the slope Σ g·dy
  std::vector<RecordedRun::ByRule> by_rule;  // of each operand
};

// Is Σ ∂x·dx what was measured as Σ g·dy? Rounding of the result, about 2⁻⁵² of its size, is divided by the step.
Comparison compare(const RecordedRun& run, std::size_t k, const Tensor& dy, const std::vector<Tensor>& moves) {
  const Tensor& y = run.result(k).value();
  const Tensor g = gradient_for(y, dy, k);
  Comparison c{false, 0, run.by_rule(k, g, moves)};
  double by_rule = 0;
  for (const RecordedRun::ByRule& one : c.by_rule) by_rule += one.slope;
  const double measured = sum(g * dy).item();
  const double noise = 8 * std::numeric_limits<double>::epsilon() / options.eps * largest(to_vector(finite_part(y))) *
                       std::sqrt(sum(square(g)).item());
  c.size = std::max(std::abs(by_rule), std::abs(measured));
  c.agrees = std::abs(by_rule - measured) <= options.tolerance * c.size + noise;
  return c;
}

// An operand that is to be tested while the others of its operation stand still.
struct Drowned {
  std::size_t k, source;
};

// Tests as many as can be in the same four runs, and returns the others.
std::vector<Drowned> test_some(const RecordedRun& run, const std::vector<Drowned>& list,
                               const std::vector<Tensor>& moves, std::set<std::size_t>& found) {
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
  const std::vector<Tensor> moves_now = only(moving, moves);
  const std::vector<Tensor> speeds = measured_speeds(run, moves_now);
  for (const Drowned& one : now)
    if (!compare(run, one.k, speeds[one.k], moves_now).agrees) found.insert(one.k);
  return later;
}

}  // namespace

std::vector<Tensor> only(const std::set<std::size_t>& places, const std::vector<Tensor>& moves) {
  std::vector<Tensor> list;
  for (std::size_t i = 0; i < moves.size(); ++i)
    list.push_back(places.contains(i) ? moves[i] : zeros(moves[i].shape(), moves[i].dtype()));
  return list;
}

std::set<std::size_t> sources_of(const RecordedRun& run, std::size_t k) {
  std::set<std::size_t> places;
  for (const RecordedRun::Operand& operand : run.operands(k)) places.insert(operand.source);
  return places;
}

std::vector<std::size_t> suspects(const RecordedRun& run, const std::vector<Tensor>& moves) {
  const std::vector<Tensor> speeds = measured_speeds(run, moves);
  std::set<std::size_t> found;
  std::vector<Drowned> drowned;
  for (std::size_t k = 0; k < run.operation_count(); ++k) {
    const Comparison c = compare(run, k, speeds[k], moves);
    if (!c.agrees) {
      found.insert(k);
      continue;
    }
    const std::vector<RecordedRun::Operand> operands = run.operands(k);
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (c.by_rule[i].at_most < little * c.size) drowned.push_back({k, operands[i].source});
  }
  while (!drowned.empty()) drowned = test_some(run, drowned, moves, found);
  return {found.begin(), found.end()};
}

bool agrees_alone(const RecordedRun& run, std::size_t k, const std::vector<Tensor>& moves) {
  const std::vector<Tensor> own = only(sources_of(run, k), moves);
  return compare(run, k, measured_speeds(run, own)[k], own).agrees;
}

}  // namespace regard::bisecting

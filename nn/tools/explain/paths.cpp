#include "nn/tools/explain/paths.h"

#include "autograd/backward.h"
#include "autograd/elements.h"
#include "tensor/create.h"
#include "tensor/ops/reduce.h"

#include <algorithm>
#include <cmath>

namespace regard {

std::int64_t path_length(const Variable& y, const Variable& x) {
  const graph::Trace steps = graph::trace("path_length", y);
  std::vector<std::int64_t> lengths(steps.size(), -1);  // from x to each step
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::int64_t& length = lengths[i];
    for (const std::size_t input : steps[i].inputs)
      if (lengths[input] >= 0 && (length < 0 || lengths[input] + 1 < length)) length = lengths[input] + 1;
    if (steps[i].result.same_as(x)) length = 0;
  }
  return lengths.back();
}

namespace graph {
namespace {

// So many beginnings of paths are kept, or as many as paths are wanted.
constexpr std::size_t kept = 40;

// How a path begins: its edges from the output to some step.
struct Beginning {
  std::size_t index;
  std::vector<Edge> edges;
  Variable arrived;    // here, along these edges alone
  double promise = 0;  // the sum of the contributions of all paths that begin like this
};

bool promises_more(const Beginning& a, const Beginning& b) { return is_larger(a.promise, b.promise); }

double count_of_paths(const Trace& steps, std::size_t index) {
  std::vector<double> counts(steps.size(), 0);
  counts[index] = 1;
  for (std::size_t i = index + 1; i < steps.size(); ++i)
    for (const std::size_t input : steps[i].inputs)
      if (steps[input].result.requires_grad()) counts[i] += counts[input];
  return counts.back();
}

// If NaN or ∞ arrives, a slope of 0 later makes NaN of it, whereas a tangent of 0 says that nothing moves here. So such
// a beginning keeps the promise of NaN that was made before.
double promise_of(const Beginning& one, const Tensor& tangent, bool is_whole) {
  const Tensor& arrived = one.arrived.value();
  if (!is_whole && std::isnan(one.promise) && !all_finite(arrived)) return one.promise;
  return sum(shares_of(arrived, tangent)).item();
}

}  // namespace

// All beginnings go on together, from the output down the list of steps.
Paths largest_paths(const Trace& steps, std::size_t index, const std::vector<Tensor>& tangents, std::size_t how_many) {
  const NoGrad rules_are_not_recorded;
  Paths found{{}, count_of_paths(steps, index), true};
  if (found.count == 0) return found;
  std::vector<Beginning> waiting, whole;
  const auto begin = [&](Beginning one) {
    one.promise = promise_of(one, tangents[one.index], one.index == index);
    (one.index == index ? whole : waiting).push_back(std::move(one));
  };
  begin({steps.size() - 1, {}, ones_like(steps.back().result.value())});
  while (!waiting.empty()) {
    // The one that has come least far: so none meets a step that others have passed.
    const auto least_far = std::ranges::max_element(waiting, {}, &Beginning::index);
    const Beginning one = std::move(*least_far);
    waiting.erase(least_far);
    const Step& step = steps[one.index];
    const Gradients passed = apply_rule(step.result, one.arrived);
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      if (!tangents[step.inputs[i]].defined()) continue;
      Beginning longer{step.inputs[i], one.edges, passed[i], one.promise};
      longer.edges.push_back({one.index, i});
      begin(std::move(longer));
    }
    while (waiting.size() > std::max(kept, how_many)) {
      waiting.erase(std::max_element(waiting.begin(), waiting.end(), promises_more));
      found.compared_all = false;
    }
  }
  std::stable_sort(whole.begin(), whole.end(), promises_more);
  if (whole.size() > how_many) whole.resize(how_many);
  for (const Beginning& one : whole) found.largest.push_back({one.edges, one.promise});
  return found;
}

}  // namespace graph
}  // namespace regard

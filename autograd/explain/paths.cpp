#include "autograd/explain/paths.h"

#include "autograd/backward.h"
#include "autograd/explain/elements.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <queue>

namespace regard::graph {
namespace {

constexpr double few_paths = 500;  // that many are all followed to their ends

// A path that has not reached its end. It goes on from where `shorter` stopped.
struct Beginning {
  std::shared_ptr<const Beginning> shorter;
  Edge last;
  std::size_t place = 0;  // where it stands
  Variable arrived;
  double promise = 0;  // the sum of the contributions of all paths that begin like this
};
using Begun = std::shared_ptr<const Beginning>;

double promise_of(const Variable& arrived, const Tensor& tangent) {
  return sum(shares_of(arrived.value(), tangent)).item();
}

Path ended(const Begun& last) {
  Path path;
  path.contribution = last->promise;
  for (const Beginning* one = last.get(); one; one = one->shorter.get()) {
    path.arrived.push_back(one->arrived);
    if (one->shorter) path.edges.push_back(one->last);
  }
  std::reverse(path.arrived.begin(), path.arrived.end());
  std::reverse(path.edges.begin(), path.edges.end());
  return path;
}

}  // namespace

double count_paths(const Trace& steps, std::size_t place) {
  std::vector<double> count(steps.size(), 0);
  if (place < steps.size()) count[place] = 1;
  for (std::size_t i = place + 1; i < steps.size(); ++i)
    for (const std::size_t input : steps[i].inputs)
      if (steps[input].result.requires_grad()) count[i] += count[input];
  return count.back();
}

// The beginning with the largest promise goes on first. If all are followed to their ends the result is exact. If not,
// large contributions of different signs may hide in a small promise.
Paths largest_paths(const Trace& steps, std::size_t place, const std::vector<Tensor>& tangents, std::size_t how_many) {
  Paths found;
  found.count = count_paths(steps, place);
  found.compared_all = found.count <= few_paths;
  const auto promises_less = [](const Begun& a, const Begun& b) { return std::abs(a->promise) < std::abs(b->promise); };
  std::priority_queue<Begun, std::vector<Begun>, decltype(promises_less)> waiting(promises_less);
  const Variable start = ones_like(steps.back().result.value());
  if (tangents.back().defined())
    waiting.push(std::make_shared<Beginning>(
        Beginning{nullptr, {}, steps.size() - 1, start, promise_of(start, tangents.back())}));
  const NoGrad rules_are_not_recorded;
  const std::size_t patience =
      2 * std::min<std::size_t>(how_many, 1'000) * steps.size() + 2'000;  // operations that a search may go through
  for (std::size_t gone = 0; !waiting.empty();) {
    const Begun begun = waiting.top();
    waiting.pop();
    const Step& step = steps[begun->place];
    if (begun->place == place) {
      found.largest.push_back(ended(begun));
      if (!found.compared_all && found.largest.size() >= how_many) break;
      continue;
    }
    if (!found.compared_all && ++gone > patience) break;
    const Gradients passed = apply_rule(step.result, begun->arrived);
    for (std::size_t i = 0; i < step.inputs.size(); ++i)
      if (const std::size_t next = step.inputs[i]; tangents[next].defined())
        waiting.push(std::make_shared<Beginning>(
            Beginning{begun, {begun->place, i}, next, passed[i], promise_of(passed[i], tangents[next])}));
  }
  std::stable_sort(found.largest.begin(), found.largest.end(),
                   [](const Path& a, const Path& b) { return std::abs(a.contribution) > std::abs(b.contribution); });
  if (found.largest.size() > how_many) found.largest.resize(how_many);
  return found;
}

}  // namespace regard::graph

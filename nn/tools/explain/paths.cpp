#include "nn/tools/explain/paths.h"

#include "autograd/backward.h"
#include "autograd/elements.h"
#include "tensor/create.h"
#include "tensor/ops/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

namespace regard::graph {
namespace {

// So many paths are all compared, if no more than so many operations must be gone through to tell them apart.
constexpr double few_paths = 500;
constexpr std::size_t few_operations = 10'000;

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

// The edges that a path has taken so far, the last one first. Paths that part later share them.
struct Way {
  Edge last;
  std::size_t before;  // its index among all ways; none: this is the first edge
};

// How paths begin: the way from the output to some step.
struct Beginning {
  std::size_t index, way;
  Variable arrived;      // here, along this way alone; not kept where nothing is left to compute
  double promise;        // the sum of the contributions of all paths that begin like this
  bool is_known;         // there is only one such path, and the promise is its contribution
  bool hurries = false;  // goes on before all others, to the end of some path
};

// Of equal promises the one that has come farther goes on, so that some of very many equal paths come to their ends.
bool goes_later(const Beginning& a, const Beginning& b) {
  if (a.hurries != b.hurries) return b.hurries;
  if (is_larger(a.promise, b.promise)) return false;
  return is_larger(b.promise, a.promise) || a.index > b.index;
}

// The beginning with the largest promise goes on first. If all paths are compared the result is exact. If not, large
// contributions of different signs may hide in a small promise.
class PathSearch {
 public:
  PathSearch(const Trace& steps, std::size_t index, const std::vector<Tensor>& tangents)
      : steps_(steps), index_(index), tangents_(tangents), counts_(count_paths(steps, index)) {}

  Paths find(std::size_t how_many) && {
    Paths found{{}, counts_.back()};
    bool all = found.count <= few_paths;
    // Out of patience, the search goes straight on to the ends of as many paths as are still wanted.
    const std::size_t to_the_ends = std::min<std::size_t>(how_many, 1'000) * steps_.size();
    const std::size_t patience = all ? few_operations : to_the_ends + 2'000;
    if (found.count > 0) waiting_.push(begun(steps_.size() - 1, none, ones_like(steps_.back().result.value()), false));
    for (std::size_t operations = 0; !waiting_.empty() && operations < patience + to_the_ends;) {
      if (!all && known_.size() >= how_many) break;
      const Beginning one = waiting_.top();
      waiting_.pop();
      if (one.is_known) {
        known_.push_back(one);
        continue;
      }
      go_on(one, operations >= patience);
      if (++operations != patience) continue;
      all = false;
      take_all_known();
    }
    take_all_known();
    found.compared_all = waiting_.empty();
    std::stable_sort(known_.begin(), known_.end(),
                     [](const Beginning& a, const Beginning& b) { return is_larger(a.promise, b.promise); });
    if (known_.size() > how_many) known_.resize(how_many);
    for (const Beginning& one : known_) found.largest.push_back(whole(one));
    return found;
  }

 private:
  // Where only one way leads on, what arrives times the tangent is the contribution of that one path, and the rest of
  // it need not be gone through. But if NaN or ∞ arrives, it is: a slope of 0 makes NaN of it, whereas a tangent of 0
  // says that nothing moves here. For the same reason such a beginning keeps the promise of NaN made before it.
  Beginning begun(std::size_t index, std::size_t way, const Variable& arrived, bool promised_nan) const {
    const double promise = sum(shares_of(arrived.value(), tangents_[index])).item();
    const bool is_finite = all_finite(arrived.value());
    if (index == index_ || (counts_[index] == 1 && is_finite)) return {index, way, {}, promise, true};
    return {index, way, arrived, promised_nan && !is_finite ? std::nan("") : promise, false};
  }

  void go_on(const Beginning& one, bool hurries) {
    const Step& step = steps_[one.index];
    const Gradients passed = apply_rule(step.result, one.arrived);
    std::vector<Beginning> all;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      if (!tangents_[step.inputs[i]].defined()) continue;
      ways_.push_back({{one.index, i}, one.way});
      all.push_back(begun(step.inputs[i], ways_.size() - 1, passed[i], std::isnan(one.promise)));
    }
    if (hurries) std::max_element(all.begin(), all.end(), goes_later)->hurries = true;
    for (Beginning& each : all) waiting_.push(std::move(each));
  }

  void take_all_known() {
    std::vector<Beginning> others;
    for (; !waiting_.empty(); waiting_.pop()) (waiting_.top().is_known ? known_ : others).push_back(waiting_.top());
    for (Beginning& each : others) waiting_.push(std::move(each));
  }

  Path whole(const Beginning& known) const {
    Path path{{}, known.promise};
    for (std::size_t way = known.way; way != none; way = ways_[way].before) path.edges.push_back(ways_[way].last);
    std::reverse(path.edges.begin(), path.edges.end());
    for (std::size_t at = known.index; at != index_; at = steps_[at].inputs[path.edges.back().input]) {
      const std::vector<std::size_t>& inputs = steps_[at].inputs;
      const auto leads_on = [&](std::size_t input) { return tangents_[input].defined(); };
      const auto next = std::find_if(inputs.begin(), inputs.end(), leads_on);
      path.edges.push_back({at, static_cast<std::size_t>(next - inputs.begin())});
    }
    return path;
  }

  const Trace& steps_;
  std::size_t index_;
  const std::vector<Tensor>& tangents_;
  std::vector<double> counts_;
  std::vector<Way> ways_;
  std::vector<Beginning> known_;
  std::priority_queue<Beginning, std::vector<Beginning>, decltype(&goes_later)> waiting_{goes_later};
};

}  // namespace

std::vector<double> count_paths(const Trace& steps, std::size_t index) {
  std::vector<double> count(steps.size(), 0);
  if (index < steps.size()) count[index] = 1;
  for (std::size_t i = index + 1; i < steps.size(); ++i)
    for (const std::size_t input : steps[i].inputs)
      if (steps[input].result.requires_grad()) count[i] += count[input];
  return count;
}

Paths largest_paths(const Trace& steps, std::size_t index, const std::vector<Tensor>& tangents, std::size_t how_many) {
  const NoGrad rules_are_not_recorded;
  return PathSearch(steps, index, tangents).find(how_many);
}

}  // namespace regard::graph

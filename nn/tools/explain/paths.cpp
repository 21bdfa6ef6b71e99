#include "nn/tools/explain/paths.h"

#include "autograd/backward.h"
#include "autograd/elements.h"
#include "tensor/create.h"
#include "tensor/ops/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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

// So many paths are all compared, if no more than so many operations must be gone through to tell them apart.
constexpr double few_paths = 500, few_operations = 10'000;
// Else so many beginnings are kept, more than the paths that are wanted: others may turn out to be smaller.
constexpr std::size_t spare = 4;

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

// The edges that a path has taken so far, the last one first. Paths that part later share them.
struct Way {
  Edge last;
  std::size_t before;  // its index among all ways; none: this is the first edge
};

// How paths begin: the way from the output to some step.
struct Beginning {
  std::size_t index, way;
  Variable arrived;  // here, along this way alone
  double promise;    // the sum of the contributions of all paths that begin like this
};

bool promises_more(const Beginning& a, const Beginning& b) { return is_larger(a.promise, b.promise); }

// All beginnings go on together, from the output down the list of steps. If there are too many, those with the smallest
// promises are left behind: large contributions of different signs may hide in one.
class PathSearch {
 public:
  PathSearch(const Trace& steps, std::size_t index, const std::vector<Tensor>& tangents)
      : steps_(steps), index_(index), tangents_(tangents), counts_(steps.size(), 0) {
    if (index < steps.size()) counts_[index] = 1;
    for (std::size_t i = index + 1; i < steps.size(); ++i)
      for (const std::size_t input : steps[i].inputs)
        if (steps[input].result.requires_grad()) counts_[i] += counts_[input];
  }

  Paths find(std::size_t how_many) && {
    Paths found{{}, counts_.back(), counts_.back() <= few_paths && operations() <= few_operations};
    const std::size_t most = found.compared_all ? none : std::min<std::size_t>(how_many, 1'000) + spare;
    if (found.count > 0) begin(steps_.size() - 1, none, ones_like(steps_.back().result.value()), false);
    while (!waiting_.empty()) {
      go_on();
      while (waiting_.size() > most) waiting_.erase(std::max_element(waiting_.begin(), waiting_.end(), promises_more));
    }
    std::stable_sort(known_.begin(), known_.end(), promises_more);
    if (known_.size() > how_many) known_.resize(how_many);
    for (const Beginning& one : known_) found.largest.push_back(whole(one));
    return found;
  }

 private:
  // How many operations must be gone through to tell all paths apart: each once for each way that leads to it.
  double operations() const {
    std::vector<double> ways(steps_.size(), 0);
    double sum = 0;
    ways.back() = 1;
    for (std::size_t i = steps_.size(); i-- > index_ + 1;) {
      if (counts_[i] <= 1) continue;
      sum += ways[i];
      for (const std::size_t input : steps_[i].inputs) ways[input] += ways[i];
    }
    return sum;
  }

  // Where only one way leads on, what arrives times the tangent is the contribution of that one path, and the rest of
  // it need not be gone through. But if NaN or ∞ arrives, it is: a slope of 0 makes NaN of it, whereas a tangent of 0
  // says that nothing moves here. For the same reason such a beginning keeps the promise of NaN made before it.
  void begin(std::size_t index, std::size_t way, const Variable& arrived, bool promised_nan) {
    const double promise = sum(shares_of(arrived.value(), tangents_[index])).item();
    const bool is_finite = all_finite(arrived.value());
    if (index == index_ || (counts_[index] == 1 && is_finite))
      known_.push_back({index, way, {}, promise});
    else
      waiting_.push_back({index, way, arrived, promised_nan && !is_finite ? std::nan("") : promise});
  }

  // The beginning that has come least far: so none meets a step that others have passed.
  void go_on() {
    const auto least_far = std::ranges::max_element(waiting_, {}, &Beginning::index);
    const Beginning one = std::move(*least_far);
    waiting_.erase(least_far);
    const Step& step = steps_[one.index];
    const Gradients passed = apply_rule(step.result, one.arrived);
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      if (!tangents_[step.inputs[i]].defined()) continue;
      ways_.push_back({{one.index, i}, one.way});
      begin(step.inputs[i], ways_.size() - 1, passed[i], std::isnan(one.promise));
    }
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
  std::vector<double> counts_;  // of the paths that lead from each step to the Variable
  std::vector<Way> ways_;
  std::vector<Beginning> waiting_, known_;  // of those that are known only one path begins like this
};

}  // namespace

Paths largest_paths(const Trace& steps, std::size_t index, const std::vector<Tensor>& tangents, std::size_t how_many) {
  const NoGrad rules_are_not_recorded;
  return PathSearch(steps, index, tangents).find(how_many);
}

}  // namespace graph
}  // namespace regard

#include "nn/tools/explain/explain.h"

#include "autograd/backward.h"
#include "autograd/elements.h"
#include "autograd/state.h"
#include "nn/tools/explain/paths.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

#include <algorithm>
#include <cmath>

namespace regard {
namespace {

class Explainer {
 public:
  Explainer(const Variable& loss, const Variable& x, std::int64_t element, const ExplainOptions& options)
      : options_(options),
        names_(options.names),
        steps_(graph::trace("explain", loss)),
        index_(graph::index_in(steps_, x)) {
    if (index_ == steps_.size())
      fail<ValueError>("explain: the loss was not computed from this Variable {}", x.shape());
    graph::pass_back(steps_);
    tangents_ = graph::tangents(steps_, index_, element);
    told_.variable = name_of(index_) + index_of(x.shape(), element);
    told_.gradient = steps_[index_].gradient.defined() ? element_of(steps_[index_].gradient.value(), element) : 0;
  }

  Explanation tell() {
    tell_first_fork();
    const graph::Paths found = graph::largest_paths(steps_, index_, tangents_, options_.paths);
    told_.path_count = found.count;
    told_.compared_all = found.compared_all;
    for (const graph::Path& path : found.largest) told_.paths.push_back(told(path));
    return std::move(told_);
  }

 private:
  std::string name_of(std::size_t index) const {
    const graph::Step& step = steps_[index];
    const std::string name = names_.name_of(step.result);
    const std::string kind = step.op() ? step.op()->name : step.result.requires_grad() ? "parameter" : "constant";
    return name.empty() ? fmt::format("{} {}", kind, step.result.shape()) : name;
  }
  // An operation is known by what it uses: "of decoder.norm", whose weight and bias it takes, or "with y".
  std::string name_of_operation(std::size_t index) const {
    std::string text = fmt::format("{} {}", steps_[index].op()->name, steps_[index].result.shape()), last;
    for (const std::size_t input : steps_[index].inputs) {
      const std::string name = names_.name_of(steps_[input].result);
      if (name.empty() || input == index_) continue;
      const std::size_t dot = name.rfind('.');
      const std::string more = dot == std::string::npos ? " with " + name : " of " + name.substr(0, dot);
      if (more != last) text += more;
      last = more;
    }
    return text;
  }
  double through(std::size_t index) const {
    return sum(shares_of(steps_[index].gradient.value(), tangents_[index])).item();
  }
  double along(const graph::Edge& edge) const {
    const Tensor& tangent = tangents_[steps_[edge.result].inputs[edge.input]];
    return sum(shares_of(steps_[edge.result].passed[edge.input].value(), tangent)).item();
  }
  bool is_way(const graph::Edge& edge) const {  // from the loss to the element
    return !steps_[edge.result].passed.empty() && tangents_[steps_[edge.result].inputs[edge.input]].defined();
  }

  std::vector<graph::Edge> uses_of(std::size_t index) const {
    std::vector<graph::Edge> uses;
    for (std::size_t i = index + 1; i < steps_.size(); ++i)
      for (std::size_t n = 0; n < steps_[i].inputs.size(); ++n)
        if (steps_[i].inputs[n] == index && is_way({i, n})) uses.push_back({i, n});
    return uses;
  }

  // From the Variable on, as long as it has a single use: there the paths part.
  void tell_first_fork() {
    std::size_t index = index_;
    std::vector<graph::Edge> uses = uses_of(index);
    while (uses.size() == 1) index = uses[0].result, uses = uses_of(index);
    told_.parts_at = name_of(index);
    for (const graph::Edge& use : uses) told_.uses.push_back({name_of_operation(use.result), along(use)});
    std::stable_sort(told_.uses.begin(), told_.uses.end(), [](const ExplainedUse& a, const ExplainedUse& b) {
      return is_larger(a.contribution, b.contribution);
    });
  }

  // Tangents along one path: each operation moves by the one input that is on it.
  std::vector<Tensor> tangents_along(const graph::Path& path) const {
    std::vector<Tensor> list{tangents_[index_]};
    for (std::size_t i = path.edges.size(); i-- > 0;) {
      const graph::Step& step = steps_[path.edges[i].result];
      std::vector<Tensor> of_inputs(step.inputs.size());
      of_inputs[path.edges[i].input] = list.back();
      list.push_back(graph::push_forward(step.result, of_inputs));
    }
    return {list.rbegin(), list.rend()};  // from the loss on, as the path
  }

  ExplainedPath told(const graph::Path& path) const {
    const NoGrad rules_are_not_recorded;
    const std::vector<Tensor> tangents = tangents_along(path);
    ExplainedPath told{path.contribution, 0, {}};
    std::int64_t element = 0;
    double arrives = 1;
    for (std::size_t i = 0; i < path.edges.size(); ++i) {
      const auto [result, input] = path.edges[i];
      const graph::Step& step = steps_[result];
      const std::size_t next = step.inputs[input];
      const Tensor slopes = graph::apply_rule(step.result, only(step.result.value(), element, 1))[input].value();
      const Tensor shares = shares_of(slopes, tangents[i + 1]);
      // Where 0 times NaN made a NaN that is no part of the path, it is not followed.
      const bool follows_nan = std::isnan(path.contribution);
      const std::int64_t goes_to = largest_of(follows_nan ? shares : where(is_nan(shares), 0, shares));
      told.steps.push_back({name_of_operation(result), step.op()->formula, formula_with_numbers(step.result, element),
                            index_of(step.result.shape(), element), element_of(step.result.value(), element), arrives,
                            name_of(next), index_of(steps_[next].result.shape(), goes_to), element_of(slopes, goes_to),
                            through(result)});
      arrives *= told.steps.back().slope;
      element = goes_to;
    }
    told.carried = arrives * element_of(tangents.back(), element);
    return told;
  }

  const ExplainOptions& options_;
  ParameterNames names_;
  graph::Trace steps_;
  std::size_t index_;
  std::vector<Tensor> tangents_;
  Explanation told_;
};

void require_explainable(const Variable& loss, const Variable& x, std::int64_t element) {
  require_defined("explain", loss, "loss");
  require_defined("explain", x, "x");
  if (loss.numel() != 1)
    fail<ShapeError>("explain: {} is not a single number (reduce it, as with sum, or select an element)", loss.shape());
  if (!loss.requires_grad()) fail<ValueError>("explain: the loss depends on nothing that requires a gradient");
  if (!x.requires_grad()) fail<ValueError>("explain: the Variable {} does not require a gradient", x.shape());
  if (element < 0 || element >= x.numel())
    fail<ValueError>("explain: element {} of {} (they are counted from 0, row by row)", element, x.shape());
}

// The slope, and how much of it may be rounding, or a bend or kink of the loss. The step: rounding of the loss, divided
// by it, and the bend of the loss, times its square, are about equally small.
std::pair<double, double> measured_slope(const Variable& x, std::int64_t element,
                                         const std::function<Variable()>& loss) {
  if (!x.is_leaf()) fail<ValueError>("explain: only of a leaf can the slope be measured (leave options.again out)");
  const NoGrad nothing_is_recorded;
  Tensor& value = StateAccess::of(x).value;
  const Tensor before = value;
  const double step = (x.dtype() == DType::f64 ? 6e-6 : 5e-3) * std::max(1.0, std::abs(element_of(before, element)));
  const auto at = [&](double moved) {
    value = before + only(before, element, moved);
    const auto put_back = [&](const Tensor*) { value = before; };
    const std::unique_ptr<const Tensor, decltype(put_back)> whatever_happens(&before, put_back);
    return std::pair(element_of(value, element), loss().item());
  };
  const auto [low, loss_low] = at(-step);
  const auto [here, loss_here] = at(0);
  const auto [high, loss_high] = at(step);
  const double left = (loss_here - loss_low) / (here - low), right = (loss_high - loss_here) / (high - here);
  const double slope = (loss_high - loss_low) / (high - low);
  const double rounding = 30 * (x.dtype() == DType::f64 ? 0x1p-52 : 0x1p-23) * std::abs(loss_here);
  // Shorter steps give other slopes where the loss bends more than a parabola, or is a difference of large numbers.
  double by_steps = 0;
  for (const double part : {2, 3, 4}) {
    const auto [from, loss_from] = at(-step / part);
    const auto [to, loss_to] = at(step / part);
    by_steps = std::max(by_steps, std::abs((loss_to - loss_from) / (to - from) - slope));
  }
  return {slope, std::abs(right - left) / 2 + rounding / step + 2 * by_steps};
}

}  // namespace

Explanation explain(const Variable& loss, const Variable& x, std::int64_t element, const ExplainOptions& options) {
  require_explainable(loss, x, element);
  Explanation told = Explainer(loss, x, element, options).tell();
  if (!options.again) return told;
  const auto [slope, doubt] = measured_slope(x, element, options.again);
  // A wrong rule is seldom wrong by less than 1 %, and in f32 a slope over a wide step is seldom better.
  const double allowed = 0.01 * std::max(std::abs(told.gradient), std::abs(slope)) + doubt;
  told.measured = slope;
  told.disagrees = std::abs(told.gradient - slope) > allowed || (std::isnan(told.gradient) && std::isfinite(slope));
  return told;
}

}  // namespace regard

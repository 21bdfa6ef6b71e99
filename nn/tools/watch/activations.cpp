#include "nn/tools/watch/activations.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>

namespace regard::nn {
namespace {

// The share of numbers or, of softmax, rows that are within 0.01 of an end.
double saturated_share(const OpFacts& facts, const Tensor& y) {
  constexpr double near = 0.01;
  const double low = facts.low, high = facts.high;
  if (facts.made_of != MadeOf::element) return mean(greater(max(y, -1), high - near)).item();
  return mean(greater(abs(y - (low + high) / 2), (high - low) / 2 - near)).item();
}

// For each unit 1, or 0 if all its values are 0.
Tensor alive_units(const Tensor& y) {
  const int units = y.rank() == 4 ? 1 : y.rank() - 1;
  std::vector<int> others;
  for (int axis = 0; axis < y.rank(); ++axis)
    if (axis != units) others.push_back(axis);
  return max(not_equal(y, 0.0), ReducedAxes(others));
}

}  // namespace

double Spread::deviation() const { return std::sqrt(variance); }

void Spread::add(const Spread& more) {
  if (more.count == 0) return;
  const auto n = static_cast<double>(count), m = static_cast<double>(more.count), all = n + m;
  const double gap = more.mean - mean;
  variance = (n * variance + m * more.variance + gap * gap * n * m / all) / all;
  mean += gap * m / all;
  zeros = (n * zeros + m * more.zeros) / all;
  count += more.count;
}

Spread spread_of(const Tensor& x) {
  if (x.numel() == 0) return {};
  const Tensor wide = to(x, DType::f64);
  const double zeros = sum(equal(wide, 0.0)).item() / static_cast<double>(x.numel());
  return {x.numel(), mean(wide).item(), var(wide).item(), zeros};
}

double WatchedActivation::gradient_size() const {
  return spread.count == 0 ? 0 : std::sqrt(squared_gradient / static_cast<double>(spread.count));
}

void ActivationWatch::recorded(const Variable& result) {
  if (is_inside_rule()) return;  // what a backward pass computes is no activation
  const graph::Node& node = *result.node();
  const OpRole role = node.op.facts.role;
  const auto is_parameter = [&](const Variable& x) { return !names_.name_of(x).empty(); };
  if (role == OpRole::plain || role == OpRole::constants) return;
  if (role == OpRole::layer && std::ranges::none_of(node.inputs, is_parameter)) return;
  if (result.numel() == 0) return;
  const std::string module = module_of(names_.nearest(node.inputs));
  const std::string name = module.empty() ? node.op.name : fmt::format("{}: {}", module, node.op.name);
  const auto [at, is_new] = indexes_.try_emplace(name, found_.size());
  if (is_new) found_.push_back(std::make_shared<WatchedActivation>(WatchedActivation{.name = name}));
  const std::shared_ptr<WatchedActivation>& one = found_[at->second];

  const NoGrad no_grad;
  const Tensor& y = result.value();
  const Spread spread = spread_of(y);
  if (role == OpRole::saturating && (node.op.facts.made_of == MadeOf::element || y.rank() > 0)) {
    const auto before = static_cast<double>(one->spread.count), now = static_cast<double>(spread.count);
    one->has_ends = true;
    one->saturated = (before * one->saturated + now * saturated_share(node.op.facts, y)) / (before + now);
  }
  one->spread.add(spread);
  if (&node.op == &op("relu") && y.rank() > 1) {
    const Tensor alive = alive_units(y);  // two that share a name may differ in shape: the first is kept
    if (!one->alive.defined()) one->alive = alive;
    if (one->alive.shape() == alive.shape()) {
      one->alive = maximum(one->alive, alive);
      one->alive_rows += y.numel() / alive.numel();
    }
  }
  result.on_gradient([one](const Variable& g) {
    one->squared_gradient += sum_of_squares(g.value());
    return Variable();
  });
}

std::vector<WatchedActivation> ActivationWatch::found() const {
  std::vector<WatchedActivation> list;
  for (const auto& one : found_) list.push_back(*one);
  return list;
}

}  // namespace regard::nn

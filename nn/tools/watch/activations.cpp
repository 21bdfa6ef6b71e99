#include "nn/tools/watch/activations.h"

#include "autograd/record.h"
#include "nn/tools/anomaly/anomaly.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace regard::nn {
namespace {

using Names = std::string_view;
// Of these whatever they return is looked at …
constexpr std::array<Names, 12> nonlinear{
    "relu",     "leaky_relu", "gelu",           "gelu_tanh",       "silu",           "tanh", "sigmoid",
    "softplus", "softmax",    "masked_softmax", "bias_activation", "fused_attention"};
// … and of these if they use a parameter.
constexpr std::array<Names, 11> with_parameters{"linear", "matmul", "add", "multiply", "layer_norm",      "rms_norm",
                                                "gather", "rnn",    "gru", "lstm",     "additive_decoder"};

template <class List>
bool is_in(const List& list, Names name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool is_softmax(Names op) { return op == "softmax" || op == "masked_softmax"; }

// The share of saturated numbers or, of softmax, rows.
double saturated_share(Names op, const Tensor& y) {
  constexpr double near = 0.01;  // to an end
  if (op == "tanh") return mean(greater(abs(y), 1 - near)).item();
  if (op == "sigmoid") return mean(greater(abs(y - 0.5), 0.5 - near)).item();
  return mean(greater(max(y, -1), 1 - near)).item();
}

// Whether this is an image (B, channels, height, width): a number for each channel, (channels, 1, 1), was added to it
// or multiplied with it, as a convolution does with its bias and a norm with its scale. A few operations may lie
// between.
bool is_image(const Variable& y) {
  constexpr int most_between = 4;
  const auto is_of_channels = [&](const Variable& x) {
    const bool stretched = x.node() && Names(x.node()->op.name) == "expand";
    const Shape& shape = stretched ? x.node()->inputs[0].shape() : x.shape();
    return shape.rank() >= 3 && shape.back(3) == y.size(1) && shape.numel() == y.size(1);
  };
  Variable made = y;
  for (int i = 0; y.rank() == 4 && i < most_between && made.node() && !made.node()->inputs.empty(); ++i) {
    if (std::ranges::any_of(made.node()->inputs, is_of_channels)) return true;
    made = Variable(made.node()->inputs[0]);
  }
  return false;
}

}  // namespace

double WatchedActivation::gradient() const { return std::sqrt(squared_gradient); }
double WatchedActivation::gradient_size() const {
  return spread.count == 0 ? 0 : std::sqrt(squared_gradient / static_cast<double>(spread.count));
}

// Two that share a name may differ in shape: the first is kept.
void WatchedUnits::add(const WatchedUnits& more) {
  if (!alive.defined()) {
    *this = more;
  } else if (alive.shape() == more.alive.shape()) {
    alive = maximum(alive, more.alive);
    rows += more.rows;
    looks += more.looks;
  }
}

void ActivationWatch::recorded(const Variable& result) {
  if (is_inside_rule()) return;  // what a backward pass computes is no activation
  const graph::Node& node = *result.node();
  const Names op = node.op.name;
  const auto is_parameter = [&](const Variable& x) { return names_.name_of(x) != nullptr; };
  if (!is_in(nonlinear, op) && !(is_in(with_parameters, op) && std::ranges::any_of(node.inputs, is_parameter))) return;
  if (result.numel() == 0) return;
  const std::string module = module_of(names_.nearest(node.inputs));
  const std::string name = module.empty() ? node.op.name : fmt::format("{}: {}", module, op);
  const auto [place, is_new] = places_.try_emplace(name, found_.size());
  if (is_new) found_.push_back(std::make_shared<WatchedActivation>(WatchedActivation{.name = name}));
  const std::shared_ptr<WatchedActivation>& one = found_[place->second];

  const NoGrad no_grad;
  const Tensor& y = result.value();
  const Spread spread = spread_of(y);
  if (op == "tanh" || op == "sigmoid" || (is_softmax(op) && y.rank() > 0)) {
    const auto before = static_cast<double>(one->spread.count), now = static_cast<double>(spread.count);
    one->has_ends = true;
    one->saturated = (before * one->saturated + now * saturated_share(op, y)) / (before + now);
  }
  one->spread.add(spread);
  if ((op == "relu" || op == "bias_activation") && y.rank() > 1) see_units(name, result);
  result.on_gradient([one](const Variable& g) {
    one->squared_gradient += sum_of_squares(g.value());
    return Variable();
  });
}

// Features are on the last axis, but for images.
void ActivationWatch::see_units(const std::string& name, const Variable& result) {
  const Tensor& y = result.value();
  const int axis = is_image(result) ? 1 : y.rank() - 1;
  std::vector<int> others;
  for (int i = 0; i < y.rank(); ++i)
    if (i != axis) others.push_back(i);
  WatchedUnits& units = units_[name];
  units.add({max(not_equal(y, 0.0), ReducedAxes(others)), y.numel() / y.size(axis), 0});
  units.looks = 1;
}

std::vector<WatchedActivation> ActivationWatch::found() const {
  std::vector<WatchedActivation> list;
  for (const auto& one : found_) list.push_back(*one);
  return list;
}

}  // namespace regard::nn

#include "autograd/record.h"
#include "nn/tools/cost/cost.h"

#include <algorithm>

namespace regard {
namespace {

struct Products {
  double forward = 0, backward = 0;
};

double wanted(const graph::Node& node, std::size_t i) {
  return i < node.inputs.size() && node.inputs[i].requires_grad() ? 1 : 0;
}

// A·B: each number of the result is a sum over the axis that both share. ∂A = g·Bᵀ and ∂B = Aᵀ·g cost as much each.
Products of_product(const Variable& y, const graph::Node& node) {
  const double once = static_cast<double>(y.numel() * node.inputs[0].size(-1));
  return {once, once * (wanted(node, 0) + wanted(node, 1))};
}

// Scores q·k and the mixing w·v. The way back makes the scores once more, then ∂w = g·vᵀ, ∂v = wᵀ·g, ∂q and ∂k.
Products of_attention(const Variable& y, const graph::Node& node) {
  const double values = static_cast<double>(y.size(-1)), features = static_cast<double>(node.inputs[0].size(-1));
  const double pairs =
      static_cast<double>(y.numel()) / std::max(values, 1.0) * static_cast<double>(node.inputs[1].size(-2));
  return {pairs * (features + values),
          pairs * (features * (1 + wanted(node, 0) + wanted(node, 1)) + values * (1 + wanted(node, 2)))};
}

// W·h in each step of a sequence; the way back takes the gradient through W to h, and to W.
Products of_sequence(const graph::Node& node, std::size_t weight) {
  const double steps = static_cast<double>(node.inputs[0].numel()) / static_cast<double>(node.inputs[0].size(-1));
  const double once = steps * static_cast<double>(node.inputs[weight].numel());
  return {once, once * (1 + wanted(node, weight))};
}

// Bahdanau's decoder: W_q·h, the scores of the keys, their mixing, W_c·c and W_hh·h in each step.
Products of_looking(const graph::Node& node) {
  const auto& in = node.inputs;  // p, initial, keys, values, W_q, w, W_c, W_hh, b_hh
  const double sequences = static_cast<double>(in[0].size(1)), steps = static_cast<double>(in[0].size(0)) * sequences;
  double once = steps * static_cast<double>(in[2].numel() + in[3].numel()) / sequences;
  for (const std::size_t weight : {4u, 6u, 7u}) once += steps * static_cast<double>(in[weight].numel());
  return {once, 2 * once};
}

// A step of the delta rule asks its memory twice and writes once: Sᵀ·k, k·uᵀ, Sᵀ·q, each two products on the way back.
Products of_memory(const graph::Node& node) {
  const double once = 3 * static_cast<double>(node.inputs[0].numel() * node.inputs[2].size(-1));  // q, v
  return {once, 2 * once};
}

Products products_of(const Variable& y, const graph::Node& node) {
  const std::string_view name = node.op.name;
  if (node.op.facts.made_of == MadeOf::product) return of_product(y, node);
  if (name.starts_with("fused_attention")) return of_attention(y, node);
  if (name == "rnn" || name == "gru" || name == "lstm") return of_sequence(node, name == "lstm" ? 3 : 2);
  if (name == "additive_decoder") return of_looking(node);
  if (name == "delta_rule") return of_memory(node);
  return {};
}

double bytes_of(const Variable& x) { return static_cast<double>(x.numel()) * static_cast<double>(size_of(x.dtype())); }

bool is_view(const Variable& y, const graph::Node& node) {
  return std::any_of(node.inputs.begin(), node.inputs.end(),
                     [&](const Variable& input) { return y.value().shares_buffer_with(input.value()); });
}

}  // namespace

Cost cost_of_operation(const Variable& y) {
  require_defined("cost_of_operation", y);
  Cost cost;
  if (y.is_leaf()) return cost;
  const graph::Node& node = *y.node();
  cost.operations = 1;
  if (is_view(y, node)) return cost;
  const auto [forward, backward] = products_of(y, node);
  cost.multiply_adds = forward;
  cost.backward_multiply_adds = backward;
  cost.memory = cost.bytes = bytes_of(y);
  double elements = static_cast<double>(y.numel());
  for (const Variable& input : node.inputs) {
    cost.bytes += bytes_of(input);
    elements = std::max(elements, static_cast<double>(input.numel()));  // a sum looks at all that it adds up
  }
  if (forward == 0) cost.elements = elements;
  return cost;
}

}  // namespace regard

#include "nn/transformer/feed_forward.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "nn/layers/require.h"

namespace regard::nn {
namespace {

Variable activate(const Variable& x, FeedForwardKind kind) {
  if (kind == FeedForwardKind::relu) return relu(x);
  return gelu(x, kind == FeedForwardKind::gelu ? GeluForm::erf : GeluForm::tanh);
}

std::optional<Linear> make_gate(const FeedForwardOptions& o, Generator& g) {
  using enum FeedForwardKind;
  require_positive("FeedForward", {{"size", o.size}, {"hidden", o.hidden}});
  if (o.kind != swiglu && o.kind != geglu && o.kind != clamped_swiglu) return {};
  return Linear({.in = o.size, .out = o.hidden, .bias = o.bias, .dtype = o.dtype}, g);
}

// What the two projections g and u of a gated part make together.
Variable gated_by(const Variable& g, const Variable& u, FeedForwardKind kind) {
  if (kind == FeedForwardKind::swiglu) return silu(g) * u;
  if (kind == FeedForwardKind::geglu) return gelu(g, GeluForm::tanh) * u;
  const double limit = 7, slope = 1.702;  // x·σ(1.702·x) is near GELU
  const Variable gate = minimum(g, limit);
  return gate * sigmoid(gate * slope) * (clamp(u, -limit, limit) + 1);
}

}  // namespace

FeedForward::FeedForward(const FeedForwardOptions& o, Generator& g)
    : kind(o.kind),
      gate(make_gate(o, g)),
      up({.in = o.size, .out = o.hidden, .bias = o.bias, .dtype = o.dtype}, g),
      down({.in = o.hidden, .out = o.size, .bias = o.bias, .dtype = o.dtype}, g) {}

// book: feed_forward
Variable FeedForward::operator()(const Variable& x) const {
  require_features("FeedForward", x, up.weight.size(1));
  return down(gate ? gated_by((*gate)(x), up(x), kind) : activate(up(x), kind));
}
// book: /feed_forward

}  // namespace regard::nn

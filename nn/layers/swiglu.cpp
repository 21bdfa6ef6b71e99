#include "nn/layers/swiglu.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "nn/layers/require.h"

namespace regard::nn {
namespace {

const SwiGLUOptions& valid(const SwiGLUOptions& o) {
  require_positive("SwiGLU", {{"size", o.size}, {"hidden", o.hidden}});
  return o;
}

}  // namespace

SwiGLU::SwiGLU(const SwiGLUOptions& o, Generator& generator)
    : gate({.in = valid(o).size, .out = o.hidden, .bias = o.bias, .dtype = o.dtype}, generator),
      up({.in = o.size, .out = o.hidden, .bias = o.bias, .dtype = o.dtype}, generator),
      down({.in = o.hidden, .out = o.size, .bias = o.bias, .dtype = o.dtype}, generator) {}

Variable SwiGLU::operator()(const Variable& x) const {
  require_features("SwiGLU", x, gate.weight.size(1));
  return down(silu(gate(x)) * up(x));
}

}  // namespace regard::nn

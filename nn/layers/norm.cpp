#include "nn/layers/norm.h"

#include "autograd/fused/norm.h"
#include "autograd/ops/view.h"
#include "nn/layers/require.h"
#include "tensor/create.h"

namespace regard::nn {

namespace {

// Whether x ends in the axes that the layer normalises.
void require_axes(const Variable& x, const Shape& size) {
  require_defined("LayerNorm", x);
  bool fits = x.rank() >= size.rank();
  for (int i = 1; fits && i <= size.rank(); ++i) fits = x.shape().back(i) == size.back(i);
  if (!fits) fail<ShapeError>("LayerNorm: {}: the last axes must be {}", x.shape(), size);
}

}  // namespace

LayerNorm::LayerNorm(const LayerNormOptions& o) : size(o.size.shape), epsilon(o.epsilon) {
  if (size.rank() == 0) fail<ShapeError>("LayerNorm: size names no axis to normalise");
  for (const std::int64_t each : size) require_positive("LayerNorm", {{"size", each}});
  require_epsilon("LayerNorm", epsilon);
  if (o.weight) weight = parameter(ones(size, o.dtype));
  if (o.bias) bias = parameter(zeros(size, o.dtype));
}

Variable LayerNorm::operator()(const Variable& x) const {
  if (size.rank() == 1)
    require_features("LayerNorm", x, size[0]);
  else
    require_axes(x, size);
  const Variable gamma = weight.defined() ? weight : Variable(ones(size, x.dtype()));
  const Variable beta = bias.defined() ? bias : Variable(zeros(size, x.dtype()));
  if (size.rank() == 1) return layer_norm(x, gamma, beta, epsilon);
  const Variable lines = flatten(x, x.rank() - size.rank());  // several axes as one
  return reshape(layer_norm(lines, flatten(gamma), flatten(beta), epsilon), x.shape());
}

RMSNorm::RMSNorm(const RMSNormOptions& o) : size(o.size), epsilon(o.epsilon) {
  require_positive("RMSNorm", {{"size", o.size}});
  require_epsilon("RMSNorm", epsilon);
  if (o.weight) weight = parameter(ones({o.size}, o.dtype));
}

Variable RMSNorm::operator()(const Variable& x) const {
  require_features("RMSNorm", x, size);
  return rms_norm(x, weight.defined() ? weight : Variable(ones({size}, x.dtype())), epsilon);
}

}  // namespace regard::nn

#include "nn/layers/norm.h"

#include "autograd/fused/norm.h"
#include "nn/layers/require.h"
#include "tensor/create.h"

namespace regard::nn {

LayerNorm::LayerNorm(const LayerNormOptions& o) : size(o.size), epsilon(o.epsilon) {
  require_positive("LayerNorm", {{"size", o.size}});
  require_epsilon("LayerNorm", epsilon);
  if (o.weight) weight = parameter(ones({size}, o.dtype));
  if (o.bias) bias = parameter(zeros({size}, o.dtype));
}

Variable LayerNorm::operator()(const Variable& x) const {
  require_features("LayerNorm", x, size);
  const Variable gamma = weight.defined() ? weight : Variable(ones({size}, x.dtype()));
  const Variable beta = bias.defined() ? bias : Variable(zeros({size}, x.dtype()));
  return layer_norm(x, gamma, beta, epsilon);
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

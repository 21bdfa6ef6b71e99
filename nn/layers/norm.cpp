#include "nn/layers/norm.h"

#include "autograd/fused/norm.h"
#include "nn/layers/require.h"
#include "tensor/create.h"

namespace regard::nn {

LayerNorm::LayerNorm(const LayerNormOptions& o) : epsilon(o.epsilon) {
  require_positive("LayerNorm", {{"size", o.size}});
  require_epsilon("LayerNorm", epsilon);
  weight = parameter(ones({o.size}, o.dtype));
  if (o.bias) bias = parameter(zeros({o.size}, o.dtype));
}

Variable LayerNorm::operator()(const Variable& x) const {
  require_features("LayerNorm", x, weight.size(0));
  return layer_norm(x, weight, bias.defined() ? bias : Variable(zeros(weight.shape(), x.dtype())), epsilon);
}

RMSNorm::RMSNorm(const RMSNormOptions& o) : epsilon(o.epsilon) {
  require_positive("RMSNorm", {{"size", o.size}});
  require_epsilon("RMSNorm", epsilon);
  weight = parameter(ones({o.size}, o.dtype));
}

Variable RMSNorm::operator()(const Variable& x) const {
  require_features("RMSNorm", x, weight.size(0));
  return rms_norm(x, weight, epsilon);
}

}  // namespace regard::nn

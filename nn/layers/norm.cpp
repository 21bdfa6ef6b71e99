#include "nn/layers/norm.h"

#include "autograd/fused/layer_norm.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "nn/layers/require.h"
#include "tensor/create.h"

namespace regard::nn {

LayerNorm::LayerNorm(const LayerNormOptions& o) : epsilon(o.epsilon) {
  require_positive("LayerNorm", {{"size", o.size}});
  weight = parameter(ones({o.size}, o.dtype));
  bias = parameter(zeros({o.size}, o.dtype));
}

Variable LayerNorm::operator()(const Variable& x) const {
  require_features("LayerNorm", x, weight.numel());
  return layer_norm(x, weight, bias, epsilon);
}

RMSNorm::RMSNorm(const RMSNormOptions& o) : epsilon(o.epsilon) {
  require_positive("RMSNorm", {{"size", o.size}});
  weight = parameter(ones({o.size}, o.dtype));
}

Variable RMSNorm::operator()(const Variable& x) const {
  require_features("RMSNorm", x, weight.numel());
  return x * rsqrt(mean(square(x), -1, keepdim) + epsilon) * weight;
}

}  // namespace regard::nn

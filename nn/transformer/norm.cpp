#include "nn/transformer/norm.h"

namespace regard::nn {

Norm::Norm(const NormOptions& o) {
  if (o.kind == NormKind::layer)
    layer = LayerNorm({.size = o.size, .epsilon = o.epsilon, .bias = o.bias, .dtype = o.dtype});
  else
    rms = RMSNorm({.size = o.size, .epsilon = o.epsilon, .dtype = o.dtype});
}

}  // namespace regard::nn

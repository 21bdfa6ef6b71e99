#include "nn/layers/linear.h"

#include "autograd/ops/matmul.h"
#include "nn/init.h"
#include "nn/layers/require.h"

namespace regard::nn {

Linear::Linear(const LinearOptions& o, Generator& generator) {
  require_positive("Linear", {{"in", o.in}, {"out", o.out}});
  weight = parameter(init::layer_default({o.out, o.in}, o.in, generator, o.dtype));
  if (o.bias) bias = parameter(init::layer_default({o.out}, o.in, generator, o.dtype));
}

Variable Linear::operator()(const Variable& x) const {
  require_features("Linear", x, weight.size(1));
  return linear(x, weight, bias);
}

}  // namespace regard::nn

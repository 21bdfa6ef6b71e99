#include "nn/recurrent/weights.h"

#include "autograd/ops/matmul.h"
#include "nn/init.h"
#include "nn/layers/require.h"

namespace regard::nn {

CellWeights::CellWeights(const char* cell, std::int64_t gates, const CellOptions& o, Generator& generator) {
  require_positive(cell, {{"in", o.in}, {"hidden", o.hidden}});
  const auto start = [&](const Shape& shape) {
    return parameter(init::layer_default(shape, o.hidden, generator, o.dtype));
  };
  weight_ih = start({gates * o.hidden, o.in});
  weight_hh = start({gates * o.hidden, o.hidden});
  if (!o.bias) return;
  bias_ih = start({gates * o.hidden});
  bias_hh = start({gates * o.hidden});
}

Variable CellWeights::projected(const Variable& x) const { return linear(x, weight_ih, bias_ih); }

Variable CellWeights::hidden_bias() const {
  return bias_hh.defined() ? bias_hh : Variable(zeros({weight_hh.size(0)}, weight_hh.dtype()));
}

}  // namespace regard::nn

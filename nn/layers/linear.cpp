#include "nn/layers/linear.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/view.h"
#include "tensor/random.h"

#include <cmath>

namespace regard::nn {

Linear::Linear(const LinearOptions& o, Generator& generator) {
  if (o.in < 1 || o.out < 1) fail<ValueError>("Linear: in = {} and out = {} must be 1 or more", o.in, o.out);
  const double bound = 1 / std::sqrt(static_cast<double>(o.in));
  weight = parameter(uniform({o.out, o.in}, generator, -bound, bound, o.dtype));
  if (o.bias) bias = parameter(uniform({o.out}, generator, -bound, bound, o.dtype));
}

Variable Linear::operator()(const Variable& x) const {
  const std::int64_t in = weight.size(1);
  if (x.rank() < 1 || x.size(-1) != in)
    fail<ShapeError>("Linear: {} with a weight of {}: the last axis must have {} features", x.shape(), weight.shape(),
                     in);
  const Variable product = matmul(x, transpose(weight));
  return bias.defined() ? product + bias : product;
}

}  // namespace regard::nn

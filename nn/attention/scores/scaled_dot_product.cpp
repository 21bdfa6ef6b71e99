#include "nn/attention/scores/scaled_dot_product.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/view.h"

#include <cmath>

namespace regard::nn {

Variable ScaledDotProduct::operator()(const Variable& q, const Variable& k) const {
  const double factor = scale.value_or(1 / std::sqrt(static_cast<double>(q.size(-1))));
  return matmul(q * factor, transpose(k));
}

}  // namespace regard::nn

#include "nn/losses.h"

#include "autograd/fused/cross_entropy.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>

namespace regard::nn {
namespace {

void require_same_shape(const char* loss, const Variable& prediction, const Variable& target) {
  require_defined(loss, prediction);
  require_defined(loss, target);
  if (prediction.shape() != target.shape())
    fail<ShapeError>("{}: prediction {} and target {} must have one shape", loss, prediction.shape(), target.shape());
}

}  // namespace

Variable mse_loss(const Variable& prediction, const Variable& target) {
  require_same_shape("mse_loss", prediction, target);
  return mean(square(prediction - target));
}

Variable l1_loss(const Variable& prediction, const Variable& target) {
  require_same_shape("l1_loss", prediction, target);
  return mean(abs(prediction - target));
}

Variable binary_cross_entropy_loss(const Variable& logits, const Variable& target) {
  require_same_shape("binary_cross_entropy_loss", logits, target);
  return mean(target * softplus(-logits) + (1 - target) * softplus(logits));
}

Variable cross_entropy_loss(const Variable& logits, const Tensor& classes, const CrossEntropyOptions& options) {
  require_defined("cross_entropy_loss", logits);
  Shape expected = logits.shape();
  if (logits.rank() > 0) expected.erase(logits.rank() - 1);
  if (logits.rank() == 0 || classes.shape() != expected)
    fail<ShapeError>("cross_entropy_loss: logits {} and classes {}: needs (…, V) and (…)", logits.shape(),
                     classes.shape());
  const Tensor each = flatten(classes);
  const Variable rows = reshape(logits, {each.numel(), logits.size(-1)});
  const Variable total = sum(cross_entropy(rows, each, options));
  const double counted = sum(not_equal(each, static_cast<double>(options.ignore))).item();
  return total / std::max(counted, 1.0);
}

}  // namespace regard::nn

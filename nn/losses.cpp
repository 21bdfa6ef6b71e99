#include "nn/losses.h"

#include "autograd/fused/cross_entropy.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"

#include "tensor/ops/reduce.h"
#include "tensor/view.h"

namespace regard::nn {
namespace {

void require_same_shape(const char* loss, const Variable& prediction, const Variable& target) {
  require_defined(loss, prediction);
  require_defined(loss, target);
  if (prediction.shape() != target.shape())
    fail<ShapeError>("{}: prediction {} and target {} must have one shape", loss, prediction.shape(), target.shape());
}

Variable reduced(const Variable& each, Reduction reduction) {
  if (reduction == Reduction::none) return each;
  return reduction == Reduction::sum ? sum(each) : mean(each);
}

}  // namespace

Variable mse_loss(const Variable& prediction, const Variable& target, Reduction reduction) {
  require_same_shape("mse_loss", prediction, target);
  return reduced(square(prediction - target), reduction);
}

Variable l1_loss(const Variable& prediction, const Variable& target, Reduction reduction) {
  require_same_shape("l1_loss", prediction, target);
  return reduced(abs(prediction - target), reduction);
}

Variable cross_entropy_loss(const Variable& logits, const Tensor& classes, const CrossEntropyLossOptions& options) {
  require_defined("cross_entropy_loss", logits);
  if (logits.rank() == 0) fail<ShapeError>("cross_entropy_loss: logits () have no axis of classes");
  const Shape expected = logits.shape().without(-1);
  if (classes.shape() != expected)
    fail<ShapeError>("cross_entropy_loss: logits {} and classes {}: needs classes {}, the logits' axes but the last",
                     logits.shape(), classes.shape(), expected);
  const Tensor class_of = flatten(classes);
  const Variable rows = reshape(logits, {class_of.numel(), logits.size(-1)});
  const CrossEntropyOptions row_options{
      .label_smoothing = options.label_smoothing, .ignore = options.ignore, .weight = options.weight};
  const Variable each = cross_entropy(rows, class_of, row_options);
  if (options.reduction == Reduction::none) return reshape(each, classes.shape());
  if (options.reduction == Reduction::sum) return sum(each);
  const Tensor counted = not_equal(class_of, static_cast<double>(options.ignore));
  const Tensor& w = options.weight;  // a position that does not count is looked up as class 0
  const double count = sum(w.defined() ? to(counted, w.dtype()) * gather(w, 0, class_of * counted) : counted).item();
  return sum(each) / (count == 0 ? 1 : count);
}

}  // namespace regard::nn

#include "nn/losses.h"

#include "autograd/fused/cross_entropy.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"
#include "tensor/ops/pointwise.h"
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

// The classes' axis moved to the end.
Variable classes_last(const Variable& logits, int axis) {
  std::vector<int> order;
  for (int i = 0; i < logits.rank(); ++i)
    if (i != axis) order.push_back(i);
  order.push_back(axis);
  return axis == logits.rank() - 1 ? logits : permute(logits, order);
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

Variable binary_cross_entropy_loss(const Variable& logits, const Variable& target,
                                   const BinaryCrossEntropyOptions& options) {
  require_same_shape("binary_cross_entropy_loss", logits, target);
  const Tensor& w = options.pos_weight;
  if (w.defined() && broadcast("binary_cross_entropy_loss", logits.shape(), w.shape()) != logits.shape())
    fail<ShapeError>("binary_cross_entropy_loss: pos_weight {} does not broadcast to the logits {}", w.shape(),
                     logits.shape());
  const Variable yes = w.defined() ? target * Variable(to(w, logits.dtype())) : target;
  return reduced(yes * softplus(-logits) + (1 - target) * softplus(logits), options.reduction);
}

Variable cross_entropy_loss(const Variable& logits, const Tensor& classes, const CrossEntropyLossOptions& options) {
  require_defined("cross_entropy_loss", logits);
  if (logits.rank() == 0) fail<ShapeError>("cross_entropy_loss: logits () have no axis of classes");
  const int axis = axis_of("cross_entropy_loss", options.axis, logits.shape());
  Shape expected = logits.shape();
  expected.erase(axis);
  if (classes.shape() != expected)
    fail<ShapeError>("cross_entropy_loss: logits {} and classes {}: needs classes {}, the logits' axes without axis {}",
                     logits.shape(), classes.shape(), expected, axis);
  const Tensor class_of = flatten(classes);
  const Variable rows = reshape(classes_last(logits, axis), {class_of.numel(), logits.size(axis)});
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

#include "autograd/attention/regression.h"

#include "autograd/fused/masked_softmax.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "autograd/twin.h"
#include "tensor/attention/regression/regression.h"
#include "tensor/attention/visible.h"
#include "tensor/view.h"

namespace regard {
namespace {

Variable for_each_key(const Tensor& x, const Variable& w) {
  if (x.rank() != 1 || w.rank() > 1)
    fail<ShapeError>("regression_loss: x {}, w {}: x is (n), w () or (n)", x.shape(), w.shape());
  return w.rank() == 0 ? expand(w, x.shape()) : w;
}

Variable composed(const Tensor& x, const Tensor& y, const Variable& w, bool leave_one_out) {
  const Variable distance = unsqueeze(x, 1) - unsqueeze(x, 0);  // (n, n)
  const Variable scores = square(distance * for_each_key(x, w)) * -0.5;
  Visible visible;
  if (leave_one_out) visible.own = 0;
  const Variable weights = masked_softmax(scores, 1, visible_table(visible, scores.shape(), x.dtype()));
  const Variable fitted = squeeze(matmul(weights, unsqueeze(Variable(y), 1)), 1);
  return mean(square(fitted - Variable(y)));
}

}  // namespace

// The weight α is a softmax over keys, so moving the score of key j moves ŷᵢ by αᵢⱼ·(yⱼ − ŷᵢ). The score has the slope
// −wⱼ·(xᵢ − xⱼ)², and the loss 2(ŷᵢ − yᵢ)/n:
//   ∂wⱼ = −wⱼ·Σᵢ 2(ŷᵢ − yᵢ)/n·αᵢⱼ·(yⱼ − ŷᵢ)·(xᵢ − xⱼ)²
Variable regression_loss(const Tensor& x, const Tensor& y, const Variable& w, bool leave_one_out) {
  require_defined("regression_loss", w, "w");
  const Variable of_keys = for_each_key(x, w);
  const RegressionResult made = regression_step(x, y, of_keys.value(), leave_one_out);
  return record(op("regression_loss"), {of_keys}, made.loss,
                with_twin([=](const graph::Inputs& in) { return composed(x, y, in[0], leave_one_out); },
                          [slope = made.gradient](const Variable& grad, const Saved&) {
                            return gradients(grad * Variable(slope));
                          }));
}

}  // namespace regard

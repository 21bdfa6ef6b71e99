#pragma once

#include "autograd/attention/regression.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "nn/attention/attention.h"
#include "nn/attention/scores/gaussian.h"
#include "tensor/create.h"

namespace regard::nn {

// What a point of the data may see of the data while the kernel is trained.
enum class RegressionTraining {
  leave_one_out,  // all but itself
  leaking,  // itself too: its distance is 0, so as |w| → ∞ it sees nothing else, and the loss falls to 0 on pure noise
};

// Nadaraya–Watson regression: attention from before it had that name. The keys and values are the data, and the
// prediction is the mean of all values, weighted by how near their keys are:
//
//   ŷ(x) = Σᵢ αᵢ(x)·yᵢ        α = softmaxᵢ −((x − xᵢ)·w)²/2
//
//   NadarayaWatson regression(GaussianKernel::learned(), x, y);
//   regression.loss().backward();                     // leave-one-out
//   auto [prediction, weights] = regression(queries);
template <AnyScore S>
struct NadarayaWatson {
  Attention<S> attention;
  Tensor keys, values;  // (n, D), (n, Dv)

  // Points of one feature may be given as (n).
  NadarayaWatson(S kernel, const Tensor& x, const Tensor& y)
      : attention(std::move(kernel)), keys(as_rows(x)), values(as_rows(y)) {
    if (keys.size(0) != values.size(0))
      fail<ShapeError>("NadarayaWatson: x {}, y {}: there must be a y for each x", x.shape(), y.shape());
  }

  void visit(Visitor& v) {
    attention.visit(v);
    v("keys", keys);
    v("values", values);
  }

  // book: predict
  AttentionOutput operator()(const Variable& x) { return attention(as_rows(x), keys, values); }

  // Predictions at the data themselves.
  AttentionOutput fitted(RegressionTraining training = RegressionTraining::leave_one_out) {
    return attention(keys, keys, values, training == RegressionTraining::leave_one_out ? Mask::others() : Mask());
  }

  // Σ (ŷ − y)²/n at the data, by the method of the attention.
  Variable loss(RegressionTraining training = RegressionTraining::leave_one_out) {
    return mean(square(fitted(training).output - Variable(values)));
  }
  // book: /predict

  // The same for a Gaussian kernel and points of one feature, with the gradient in the same pass over all pairs: much
  // faster, and without memory for pairs. What it cannot compute it refuses.
  Variable loss_in_one_pass(
      RegressionTraining training = RegressionTraining::leave_one_out) requires std::same_as<S, GaussianKernel> {
    if (keys.size(1) != 1 || values.size(1) != 1)
      fail<ShapeError>("loss_in_one_pass: x {}, y {}: they must be (n) or (n, 1)", keys.shape(), values.shape());
    if (attention.dropout.training && attention.dropout.p > 0)
      fail<ValueError>("loss_in_one_pass: it has no dropout; loss() has");
    const GaussianKernel& kernel = attention.score;
    const Variable w = kernel.w.defined() ? kernel.w * kernel.fixed_w : full({}, kernel.fixed_w, keys.dtype());
    return regression_loss(squeeze(keys, 1), squeeze(values, 1), w, training == RegressionTraining::leave_one_out);
  }

 private:
  template <class T>  // of Tensors and Variables alike
  static T as_rows(const T& x) {
    return x.rank() == 1 ? unsqueeze(x, 1) : x;
  }
};

}  // namespace regard::nn

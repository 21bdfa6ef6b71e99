#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "nn/attention/attention.h"
#include "nn/attention/scores/gaussian.h"
#include "tensor/create.h"

namespace regard::nn {

// What a point of the data may see of the data while the kernel is trained.
enum class Training {
  leave_one_out,  // all but itself
  leaking,  // itself too: its distance is 0, so as |w| → ∞ it sees nothing else, and the loss falls to 0 on pure noise
};

// The loss of a Gaussian kernel over points of one feature, (n, 1), by a kernel of its own: it computes the gradient for w
// along with the loss, from the same powers.
Variable regression_loss(const GaussianKernel& kernel, const Tensor& keys, const Tensor& values, bool leave_one_out);

// Nadaraya–Watson regression: attention from before it had that name. The keys and values are the data, and the prediction
// is the mean of all values, weighted by how near their keys are:
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

  AttentionOutput operator()(const Variable& x) { return attention(as_rows(x), keys, values); }

  // Predictions at the data themselves.
  AttentionOutput fitted(Training training = Training::leave_one_out) {
    return attention(keys, keys, values, training == Training::leave_one_out ? Mask::others() : Mask());
  }

  // Σ (ŷ − y)²/n at the data.
  Variable loss(Training training = Training::leave_one_out) {
    if constexpr (std::is_same_v<S, GaussianKernel>) {
      const bool drops = attention.dropout.training && attention.dropout.p > 0;
      if (attention.kernel == Kernel::fused && !drops && keys.size(1) == 1 && values.size(1) == 1 &&
          attention.score.w.defined())
        return regression_loss(attention.score, keys, values, training == Training::leave_one_out);
    }
    return mean(square(fitted(training).output - Variable(values)));
  }

 private:
  template <class T>  // of Tensors and Variables alike
  static T as_rows(const T& x) {
    return x.rank() == 1 ? unsqueeze(x, 1) : x;
  }
};

}  // namespace regard::nn

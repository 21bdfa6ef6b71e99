#pragma once

#include "nn/attention/attention.h"

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
struct NadarayaWatson {
  Attention attention;
  Tensor keys, values;  // (n, D), (n, Dv)

  NadarayaWatson(AnyScore kernel, const Tensor& x, const Tensor& y);  // points of one feature may be given as (n)
  void visit(Visitor& v);

  AttentionOutput operator()(const Variable& x);

  // Predictions at the data themselves.
  AttentionOutput fitted(RegressionTraining training = RegressionTraining::leave_one_out);

  // The mean of (ŷ − y)² at the data, by the method of the attention.
  Variable loss(RegressionTraining training = RegressionTraining::leave_one_out);

  // The same for a Gaussian kernel and points of one feature, with the gradient in the same pass over all pairs: much
  // faster, and without memory for pairs. What it cannot compute it refuses.
  Variable loss_in_one_pass(RegressionTraining training = RegressionTraining::leave_one_out);
};

}  // namespace regard::nn

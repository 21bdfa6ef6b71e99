#pragma once

#include "autograd/ops/view.h"
#include "nn/attention/scores/distance.h"
#include "tensor/create.h"

namespace regard::nn {

// a(q, k) = −‖(q − k)·w‖²/2          q (…, Lq, D), k (…, Lk, D) → (…, Lq, Lk)
//
// Softmax of it is Nadaraya–Watson regression with a Gaussian kernel of bandwidth 1/|w|: nearby keys count, by
// distance. With a fixed w it is statistics; a w that is learned chooses the bandwidth. With one w for each key there
// is more to choose: the training loss is lower, and further below the loss on new data. w enters squared: its sign
// means nothing, and at w = 0 its gradient is 0.
struct GaussianKernel {
  double fixed_w = 1;
  Variable w;  // undefined, or (), or (Lk): multiplies fixed_w

  static GaussianKernel fixed(double bandwidth) { return {1 / bandwidth, {}}; }
  static GaussianKernel learned(double bandwidth = 1, DType dtype = DType::f32) {
    return {1, parameter(full({}, 1 / bandwidth, dtype))};
  }
  static GaussianKernel per_key(std::int64_t keys, double bandwidth = 1, DType dtype = DType::f32) {
    return {1, parameter(full({keys}, 1 / bandwidth, dtype))};
  }

  void visit(Visitor& v) { v("w", w); }

  // book: gaussian
  Variable operator()(const Variable& q, const Variable& k) const {
    const Variable score = squared_distance(q, k, "GaussianKernel") * (-0.5 * fixed_w * fixed_w);
    return w.defined() ? score * square(w) : score;
  }
  // book: /gaussian
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t) const {
    require_same_features("GaussianKernel", q, k);
    const double scale = 0.5 * fixed_w * fixed_w;
    if (!w.defined()) return {shipped_scores::squared_l2(scale), q, k};
    const Variable bend = square(w) * -scale;
    return {shipped_scores::weighted_l2(), q, k, w.rank() == 0 ? bend : unsqueeze(bend, -1)};
  }
};

}  // namespace regard::nn

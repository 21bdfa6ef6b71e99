#pragma once

#include "nn/attention/scores/distance.h"
#include "nn/attention/skeleton.h"

namespace regard::nn {

// The kernels of regression besides the Gaussian. They are weights already, so each row is divided by its sum instead
// of going through softmax; a query with no key within the bandwidth gets 0. With u = ‖q − k‖/bandwidth:
//
//   boxcar ½ where u ≤ 1        triangular max(0, 1 − u)        Epanechnikov ¾·max(0, 1 − u²)
struct SharedOut {
  static constexpr const char* no_fused_form = "its weights are no softmax";
  Variable normalize(const Variable& weights, const Tensor& keep) const { return pairs::shares(weights, keep); }
};

struct BoxcarKernel : SharedOut {
  double bandwidth;
  explicit BoxcarKernel(double with_bandwidth) : bandwidth(with_bandwidth) {}
  Variable operator()(const Variable& q, const Variable& k) const {  // its steps have slope 0
    return multiply(less_equal(squared_distance(q, k, "BoxcarKernel"), bandwidth * bandwidth), 0.5);
  }
};

struct TriangularKernel : SharedOut {
  double bandwidth;
  explicit TriangularKernel(double with_bandwidth) : bandwidth(with_bandwidth) {}
  Variable operator()(const Variable& q, const Variable& k) const {
    const Variable d2 = squared_distance(q, k, "TriangularKernel");
    const Tensor apart = not_equal(d2, 0.0);  // the root has no slope at 0: there the peak gets the slope 0
    const Variable d = where(apart, sqrt(where(apart, d2, 1)), 0);
    return relu(1 - d * (1 / bandwidth));
  }
};

struct EpanechnikovKernel : SharedOut {
  double bandwidth;
  explicit EpanechnikovKernel(double with_bandwidth) : bandwidth(with_bandwidth) {}
  Variable operator()(const Variable& q, const Variable& k) const {
    return relu(1 - squared_distance(q, k, "EpanechnikovKernel") * (1 / (bandwidth * bandwidth))) * 0.75;
  }
};

}  // namespace regard::nn

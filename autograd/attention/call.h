#pragma once

#include "autograd/attention/fused_attention.h"
#include "tensor/attention/engine/inputs.h"

namespace regard {

// A call of fused attention that was checked. What it computes with is a list of inputs, q, k, v and, where there are
// any, the parameters of the score, the bias, and lines of numbers of pairs. The rest stays the same from the forward
// to the backward pass.
struct FusedCall {
  FusedScore score;
  Visible visible;
  std::int64_t offset;
  std::optional<WeightDropout> dropout;
  bool has_parameters, has_bias;

  std::size_t bias_at() const { return has_parameters ? 4 : 3; }
  std::size_t lines_at() const { return bias_at() + (has_bias ? 1 : 0); }  // the first of the lines
  Variable parameters(const graph::Inputs& in) const { return has_parameters ? in[3] : Variable(); }
  Variable bias(const graph::Inputs& in) const { return has_bias ? in[bias_at()] : Variable(); }
  AttentionInputs values(const graph::Inputs& in) const;
};

struct CheckedCall {
  FusedCall call;
  graph::Inputs inputs;
};

// Throws, in the name of the function that was called, unless everything fits. Dropout takes its random numbers here.
CheckedCall checked_call(const char* name, const FusedScore& score, const Variable& q, const Variable& k,
                         const Variable& v, const FusedOptions& options);

// use(tiles) with the tiles of the score for this dtype.
template <class Use>
auto with_tiles(const FusedScore& score, DType dtype, const Use& use) {
  return dtype == DType::f64 ? use(*score.f64) : use(*score.f32);
}

}  // namespace regard

#pragma once

#include "nn/attention/modifier.h"

namespace regard::nn {

// Which features make a pair. Weights trained with one layout give wrong results, silently, with the other.
enum class RotaryLayout {
  interleaved,  // neighbours: (0, 1), (2, 3), …
  halves,       // one from each half: (0, D/2), (1, D/2 + 1), …
};

// x (…, L, D), D even, with each pair j of features turned by the angle i·ωⱼ, ωⱼ = base^(−2j/D), for position i =
// offset, …
Variable rotate(const Variable& x, std::int64_t offset, RotaryLayout layout, double base = 10000);

// Rotary positions (RoPE). Queries and keys are turned by their positions before they are compared, and nothing is
// added to them. A dot product sees only the angle between the two, so the score depends on i − j alone.
template <AnyScore S>
struct Rotary : Modifier<S> {
  RotaryLayout layout;
  double base;

  Rotary(S score, RotaryLayout with_layout, double with_base = 10000)
      : Modifier<S>(std::move(score)), layout(with_layout), base(with_base) {}

  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const {
    return evaluate(this->inner, rotate(q, offset, layout, base), rotate(k, 0, layout, base), offset);
  }
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t offset) const requires HasFusedForm<S> {
    return this->inner.fused(rotate(q, offset, layout, base), rotate(k, 0, layout, base), offset);
  }
};

}  // namespace regard::nn

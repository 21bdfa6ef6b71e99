#pragma once

#include "nn/attention/modifier.h"
#include "nn/layers/norm.h"

namespace regard::nn {

// QK-norm. Queries and keys of each head are normalised before they are compared:
//   a(RMS(q) ⊙ γ_q, RMS(k) ⊙ γ_k)          RMS(x) = x/√(mean(x²) + ε)
// So no score can grow beyond what γ allows, however large the projections become. The norm comes before what the inner
// score does with positions, as in Qwen3 and Gemma 3, and a cache keeps keys that are normalised already:
//   QKNorm(Rotary(ScaledDotProduct{}, RotaryLayout::halves), {.size = 128})
// (.size is that of a head. In OLMo 2 one norm goes over all heads of a token: that is another model.)
struct QKNorm : Modifier {
  RMSNorm norm_q, norm_k;

  QKNorm(AnyScore score, const RMSNormOptions& o) : Modifier(std::move(score)), norm_q(o), norm_k(o) {}

  void visit(Visitor& v) {
    Modifier::visit(v);
    v("norm_q", norm_q);
    v("norm_k", norm_k);
  }
  Variable place_query(const Variable& x, std::int64_t) const { return norm_q(x); }
  Variable place_key(const Variable& x, std::int64_t) const { return norm_k(x); }
};

}  // namespace regard::nn

#pragma once

#include "nn/attention/any_score.h"

namespace regard::nn {

// A score made from another score: what the modifier does not say itself, its inner score says. Modifiers stack:
//   SoftCapped(Alibi(ScaledDotProduct{}, heads), 30)
struct Modifier {
  AnyScore inner;

  explicit Modifier(AnyScore score) : inner(std::move(score)) {}
  void visit(Visitor& v) {
    if (inner.is_module()) v("inner", inner);
  }
  Variable normalize(const Variable& scores, const Tensor& keep) const { return inner.normalize(scores, keep); }
};

// Throws unless scores, or queries, have that many heads, (…, B, H, Lq, …): broadcasting would take a batch for heads,
// or one head for all.
inline const Variable& require_heads(const char* name, const Variable& scores, std::int64_t heads) {
  if (scores.rank() < 4 || scores.size(-3) != heads)
    fail<ShapeError>("{}: made for {} heads, (B, H, L, …), and given {}", name, heads, scores.shape());
  return scores;
}

}  // namespace regard::nn

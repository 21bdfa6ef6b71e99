#pragma once

#include "nn/attention/modifier.h"
#include "nn/attention/positions/rotary_layout.h"
#include "nn/layers/stated.h"
#include "tensor/view.h"

#include <memory>
#include <mutex>

namespace regard::nn {

// x (…, L, D), D even, with each pair j of features turned by the angle i·ωⱼ, ωⱼ = base^(−2j/D), for position i =
// offset, …
Variable rotate(const Variable& x, std::int64_t offset, RotaryLayout layout, double base = 10000);

struct RotateOptions {
  Stated<RotaryLayout> layout;
  double base = 10000;
  // Only so many of the first features are turned, and the others stay (GPT-NeoX turns a quarter). 0 turns all.
  std::int64_t features = 0;
};
// The same for positions that are given: (L), or (…, L) with all axes that x has before D. Sequences that are padded on
// the left, or packed into one, have such positions. Beside heads, x (B, H, L, D), they are (B, 1, L).
Variable rotate(const Variable& x, const Tensor& positions, const RotateOptions& options);

void require_rotary_base(double base);

// Cosines and sines of the angles at positions 0, 1, …: computed once, and again for twice as many where there are not
// enough. Copies of a score share one.
class TurnTable {
 public:
  // Those of `count` positions from `offset` on, (count, pairs).
  struct Turns {
    Tensor cosine, sine;
  };
  Turns at(std::int64_t offset, std::int64_t count, std::int64_t pairs, double base, DType dtype);

 private:
  std::mutex mutex_;
  Turns turns_;
  double base_ = 0;
};
Variable rotate(const Variable& x, std::int64_t offset, const RotateOptions& options, TurnTable& table);

// Rotary positions (RoPE). Queries and keys are turned by their positions before they are compared, and nothing is
// added to them. A dot product sees only the angle between the two, so the score depends on i − j alone.
template <AnyScore S>
struct Rotary : Modifier<S> {
  RotateOptions options;
  Tensor positions;  // of the keys, as rotate() takes them; undefined: 0, 1, 2, … The first query stands at `offset`
  std::shared_ptr<TurnTable> table = std::make_shared<TurnTable>();

  Rotary(S score, const RotateOptions& with_options, Tensor at = {})
      : Modifier<S>(std::move(score)), options(with_options), positions(std::move(at)) {
    require_rotary_base(options.base);
  }
  Rotary(S score, RotaryLayout layout, double base = 10000)
      : Rotary(std::move(score), RotateOptions{.layout = layout, .base = base}) {}

  // book: rotary
  Variable operator()(const Variable& q, const Variable& k, std::int64_t offset) const {
    return evaluate(this->inner, place(q, offset), place(k, 0), offset);
  }
  // book: /rotary
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t offset) const requires HasFusedForm<S> {
    return this->inner.fused(place(q, offset), place(k, 0), offset);
  }
  Variable place(const Variable& x, std::int64_t offset) const {
    if (!positions.defined()) return rotate(x, offset, options, *table);
    const std::int64_t end = offset + x.size(-2);
    if (positions.rank() < 1 || positions.size(-1) < end)
      fail<ShapeError>("Rotary: positions {} for {} keys and queries: one is needed for each", positions.shape(), end);
    return rotate(x, slice(positions, -1, offset, end), options);
  }
};

}  // namespace regard::nn

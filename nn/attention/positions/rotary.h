#pragma once

#include "nn/attention/modifier.h"
#include "nn/attention/positions/frequencies.h"
#include "nn/layers/stated.h"

namespace regard::nn {

// x (…, L, D), D even, with pair j of features turned by the angle i·ωⱼ, ωⱼ = base^(−2j/D), at positions i = offset, …
Variable rotate(const Variable& x, std::int64_t offset, RotaryLayout layout, double base = 10000);

struct RotateOptions {
  Stated<RotaryLayout> layout;
  double base = 10000;
  // Only so many of the first features are turned, and the others stay (GPT-NeoX turns a quarter). 0 turns all.
  std::int64_t features = 0;
  // In place of what `base` and `features` say: as many pairs are turned as there are frequencies.
  RotaryFrequencies frequencies = {};
};
// The same for positions that are given: (L), or (…, L) with all axes that x has before D. Sequences that are padded on
// the left, or packed into one, have such positions. Beside heads, x (B, H, L, D), they are (B, 1, L).
Variable rotate(const Variable& x, const Tensor& positions, const RotateOptions& options);
Variable rotate(const Variable& x, std::int64_t offset, const RotateOptions& options);  // offset, offset + 1, …

// Rotary positions (RoPE). Queries and keys are turned by their positions before they are compared, and nothing is
// added to them. Turning both by the same angle changes no dot product, so of the positions only i − j counts.
struct Rotary : Modifier {
  RotateOptions options;
  Tensor positions;  // of the keys, as rotate() takes them; undefined: 0, 1, 2, … The first query stands at `offset`

  Rotary(AnyScore score, const RotateOptions& options, Tensor positions = {});
  Rotary(AnyScore score, RotaryLayout layout, double base = 10000)
      : Rotary(std::move(score), RotateOptions{.layout = layout, .base = base}) {}

  // book: rotary
  Variable place_query(const Variable& x, std::int64_t position) const { return turned(x, position); }
  Variable place_key(const Variable& x, std::int64_t position) const { return turned(x, position); }
  // book: /rotary

 private:
  Variable turned(const Variable& x, std::int64_t position) const;
};

}  // namespace regard::nn

#pragma once

#include "tensor/attention/engine/tile.h"
#include "tensor/random/generator.h"
#include "tensor/tensor.h"

#include <optional>
#include <vector>

namespace regard {

// Attention without the matrix of all pairs:
//
//   outputᵢ = Σⱼ wᵢⱼ·vⱼ        wᵢⱼ = e^(sᵢⱼ − mᵢ)/lᵢ        lᵢ = Σⱼ e^(sᵢⱼ − mᵢ)
//
// for q (…, Lq, D), k (…, Lk, D), v (…, Lk, Dv). The scores sᵢⱼ are computed tile by tile, used, and forgotten; what is
// kept is the output and two numbers for each query, m, which is about its largest score, and 1/l: from them a second pass
// computes the same weights again. They are not merged to m + log l, since beside a large m the logarithm would be rounded
// away.

struct KeyRange {
  std::int64_t first, last;  // the keys first ≤ j < last
};

// Which keys a query may see, and what is added to its scores.
struct Sight {
  std::vector<KeyRange> ranges = {};        // of query i in sequence b: ranges[b·Lq + i]; none: all keys
  bool per_sequence = false;                // or the same for all sequences
  std::optional<std::int64_t> hidden = {};  // key i + hidden is hidden from query i: its own, in leave-one-out
  Tensor keep = {}, bias = {};              // what ranges cannot say: 0/1, and numbers; both broadcast to (…, Lq, Lk)
};

// Each weight is dropped with probability p, the others grow by 1/(1 − p). The numbers are a function of the place in
// (…, Lq, Lk), those that bernoulli() draws for a tensor of this shape: so a second pass finds them again.
struct WeightDropout {
  double p;
  Generator generator;
};

struct AttentionInputs {
  Tensor q, k, v;
  Tensor parameters = {};  // of the score: broadcasts to (Lk, D); or undefined
  Sight sight = {};
  std::int64_t offset = 0;  // the position of the first query
  std::optional<WeightDropout> dropout = {};
};

struct AttentionForward {
  Tensor output;  // (…, Lq, Dv)
  // m and 1/l, (…, Lq). Where nothing is seen both are 0; where nothing is seen but scores of −∞, 1/l is ∞. The powers
  // that go with a share are those of with_powers(m), in softmax_rows.h: they may differ from e^(s − m) by a factor that is
  // the same for the row.
  Tensor shifts, shares;
};

template <class T>
AttentionForward attention_forward(const AttentionInputs& in, const TileScore<T>& score);

// For pictures, weights before dropout: those of a few queries, (…, queries, Lk); or a map (…, height, width) of all of
// them, in which a cell is the mean over its queries of what they give to its keys: rows sum to 1, or less if some see nothing.
template <class T>
Tensor attention_rows(const AttentionInputs& in, const TileScore<T>& score, const AttentionForward& made,
                      const std::vector<std::int64_t>& queries);
template <class T>
Tensor attention_map(const AttentionInputs& in, const TileScore<T>& score, const AttentionForward& made,
                     std::int64_t height, std::int64_t width);

struct AttentionGradients {
  Tensor q, k, v, parameters, bias;
};
struct WantedGradients {
  bool q, k, v, parameters, bias;
};

// The gradients of Σ gradient·output, those that are wanted.
template <class T>
AttentionGradients attention_gradients(const AttentionInputs& in, const TileScore<T>& score,
                                       const AttentionForward& made, const Tensor& gradient,
                                       const WantedGradients& wanted);

}  // namespace regard

#pragma once

#include "tensor/attention/operands.h"

#include <cmath>

namespace regard::attention_ladder {

// Rung 2: one look at each key, and no weight is stored. Rung 1 looks at the scores of a query twice: once for the
// largest of them, m, and once for the powers e^(s − m), which it cannot compute before m is known. But say that the
// keys so far had the largest score m, and now comes a larger one, m′. Then every power so far should have been
//
//   e^(s − m′) = e^(s − m)·e^(m − m′)
//
// All of them lack the same factor e^(m − m′), and so does their sum. A sum can be multiplied by that factor later. So
// for each query these are kept, of the keys seen so far,
//
//   m   the largest score            l = Σ e^(s − m)            o = Σ e^(s − m)·v
//
// and whenever m grows, l and o are multiplied by e^(m − m′). In the end the output is o/l. This is known as online
// softmax. For three keys with the scores 1, 3 and 2:
//
//   score   m   factor            l                              o
//     1     1                     1                              v₁
//     3     3   e^(1−3) = 0.135   1·0.135 + 1       = 1.135      0.135·v₁ + v₂
//     2     3   e^(3−3) = 1       1.135·1 + e^(2−3) = 1.503      0.135·v₁ + v₂ + 0.368·v₃
//
// and o/l = 0.090·v₁ + 0.665·v₂ + 0.245·v₃, which is what softmax makes of (1, 3, 2).
//
// Memory: m and l of each query, 2·Lq numbers: 32 KiB for 4096 positions in f32, where rung 1 has 64 MiB.
// Time: 1.26 times that of rung 1 forward, and 1.35 times forward and gradient: l and o are multiplied by a factor for
// every key, and the gradient computes every score again. What is gained is memory.
template <class T>
void online_softmax(const Operands<T>& in, const Softmax<T>& to) {
  check(in);
  for (std::int64_t i = 0; i < in.queries; ++i) {
    T* output_i = to.output + i * in.value_size;
    T largest = lowest<T>, sum = 0;
    std::fill_n(output_i, in.value_size, T{0});
    // book: keys
    for (std::int64_t j = 0; j < in.keys; ++j) {
      if (!in.sees(i, j)) continue;
      const T* value_j = in.value(j);
      const T score = in.scale * dot(in.query(i), in.key(j), in.features), before = largest;
      largest = std::max(before, score);
      const T factor = std::exp(before - largest), power = std::exp(score - largest);
      sum = sum * factor + power;
      for (std::int64_t c = 0; c < in.value_size; ++c) output_i[c] = output_i[c] * factor + power * value_j[c];
    }
    // book: /keys
    if (in.sees_any(i))
      for (std::int64_t c = 0; c < in.value_size; ++c) output_i[c] /= sum;
    to.largest[i] = largest;
    to.sum[i] = sum;
  }
}

// The gradient, from g = ∂L/∂output and what the forward pass has left; rung 1 has the derivation. A weight is computed
// again from its score, w = e^(s − m)/l. The gradient of a score is
//
//   ∂sᵢⱼ = wᵢⱼ·(gᵢ·vⱼ − Σₙ wᵢₙ·(gᵢ·vₙ))
//
// and the sum, which is over all keys, seems to ask for a look at all of them before the first ∂s. But gᵢ can be taken
// out of it: Σₙ wᵢₙ·(gᵢ·vₙ) = gᵢ·Σₙ wᵢₙ·vₙ = gᵢ·oᵢ, where oᵢ is the output, which is known.
template <class T>
void online_softmax_gradient(const Operands<T>& in, const Softmax<T>& made, const T* g, const Gradients<T>& to) {
  check(in);
  clear(in, to);
  for (std::int64_t i = 0; i < in.queries; ++i) {
    const T *query_i = in.query(i), *g_i = g + i * in.value_size;
    T* to_query_i = to.q + i * in.features;
    const T mean = dot(g_i, made.output + i * in.value_size, in.value_size);
    for (std::int64_t j = 0; j < in.keys; ++j) {
      if (!in.sees(i, j)) continue;
      const T *key_j = in.key(j), *value_j = in.value(j);
      T *to_key_j = to.k + j * in.features, *to_value_j = to.v + j * in.value_size;
      const T weight = std::exp(in.scale * dot(query_i, key_j, in.features) - made.largest[i]) / made.sum[i];
      const T to_score = weight * (dot(g_i, value_j, in.value_size) - mean);
      for (std::int64_t c = 0; c < in.value_size; ++c) to_value_j[c] += weight * g_i[c];
      for (std::int64_t c = 0; c < in.features; ++c) {
        to_query_i[c] += in.scale * to_score * key_j[c];
        to_key_j[c] += in.scale * to_score * query_i[c];
      }
    }
  }
}

}  // namespace regard::attention_ladder

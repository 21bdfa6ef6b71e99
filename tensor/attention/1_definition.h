#pragma once

#include "tensor/attention/operands.h"

#include <cmath>
#include <vector>

namespace regard::attention_ladder {

// Rung 1: the definition. Every later rung computes the same numbers, and is tested against this one.
//
// In attention positions exchange what they know; most other layers treat each position by itself. A position asks with
// a query. Every position offers a key, to be found by, and a value, to be taken.
//
//   in.q, query_i    (Lq, D)   what position i looks for
//   in.k, key_j      (Lk, D)   what position j is found by
//   in.v, value_j    (Lk, Dv)  what position j has to give
//   weights          (Lq, Lk)  how much query i takes of value j; each row sums to 1
//   output           (Lq, Dv)  the mean of the values, with these weights
//
//   sᵢⱼ = scale·(qᵢ·kⱼ)      wᵢⱼ = e^sᵢⱼ / Σₙ e^sᵢₙ      outputᵢ = Σⱼ wᵢⱼ·vⱼ
//
// e^100 is more than an f32 can hold. So every score of a row is first reduced by the largest of them, m. That divides
// numerator and denominator by the same e^m and changes no weight, and the largest power is now e⁰ = 1.
//
// A hidden pair is passed over: its weight is 0, and nothing of that key and value is read. A query that sees no key
// gets the output 0.
//
// Memory: Lq·Lk numbers, the weights. For 4096 positions in f32 that is 64 MiB, and as much again for each further
// head.
// Time: 25 ms forward, and 56 ms for forward and gradient. On all rungs that is for 1024 queries and keys, D = Dv = 64,
// in f32 with AVX-512 on one thread, medians.
template <class T>
void definition(const Operands<T>& in, T* weights, T* output) {
  check(in);
  for (std::int64_t i = 0; i < in.queries; ++i) {
    const T* query_i = in.query(i);
    T *weights_i = weights + i * in.keys, *output_i = output + i * in.value_size;

    // book: loops
    // 1. The scores, and the largest of them.
    T largest = lowest<T>;
    for (std::int64_t j = 0; j < in.keys; ++j)
      if (in.sees(i, j)) {
        weights_i[j] = in.scale * dot(query_i, in.key(j), in.features);
        largest = std::max(largest, weights_i[j]);
      }

    // 2. Their powers, and the sum of these.
    T sum = 0;
    for (std::int64_t j = 0; j < in.keys; ++j)
      if (in.sees(i, j)) {
        weights_i[j] = std::exp(weights_i[j] - largest);
        sum += weights_i[j];
      }

    // 3. Division makes them weights.
    for (std::int64_t j = 0; j < in.keys; ++j) weights_i[j] = in.sees(i, j) ? weights_i[j] / sum : 0;

    // 4. The mean of the values.
    std::fill_n(output_i, in.value_size, T{0});
    for (std::int64_t j = 0; j < in.keys; ++j)
      if (in.sees(i, j)) {
        const T* value_j = in.value(j);
        for (std::int64_t c = 0; c < in.value_size; ++c) output_i[c] += weights_i[j] * value_j[c];
      }
    // book: /loops
  }
}

// The gradient. Some number L depends on the output, and g = ∂L/∂output, (Lq, Dv), is given. ∂x is short for ∂L/∂x. The
// passes are undone one by one, the last first:
//
//   4.     outputᵢ = Σⱼ wᵢⱼ·vⱼ         gives   ∂wᵢⱼ = gᵢ·vⱼ   and   ∂vⱼ = Σᵢ wᵢⱼ·gᵢ
//   3, 2.  wᵢⱼ = e^sᵢⱼ / Σₙ e^sᵢₙ      gives   ∂sᵢⱼ = wᵢⱼ·(∂wᵢⱼ − Σₙ wᵢₙ·∂wᵢₙ)
//   1.     sᵢⱼ = scale·(qᵢ·kⱼ)         gives   ∂qᵢ = scale·Σⱼ ∂sᵢⱼ·kⱼ   and   ∂kⱼ = scale·Σᵢ ∂sᵢⱼ·qᵢ
//
// Lines 4 and 1 are sums of products, where the slope of one factor is the other factor. For the line between them let
// one score sᵢⱼ grow by a tiny ε. Its power grows by the factor 1 + ε, and so the sum of all powers of the row by the
// factor 1 + ε·wᵢⱼ. Every weight of the row is divided by that sum: wᵢₙ changes by −ε·wᵢⱼ·wᵢₙ, and wᵢⱼ itself by ε·wᵢⱼ
// more. Each change times its ∂w, all added up and divided by ε, is ∂sᵢⱼ. The sum in it is the mean of the row's ∂w:
// the score of a key should grow if its value serves better than the mean of all.
template <class T>
void definition_gradient(const Operands<T>& in, const T* weights, const T* g, const Gradients<T>& to) {
  check(in);
  clear(in, to);
  std::vector<T> to_weights(static_cast<std::size_t>(in.keys));  // ∂wᵢ, of one query
  for (std::int64_t i = 0; i < in.queries; ++i) {
    const T *query_i = in.query(i), *weights_i = weights + i * in.keys, *g_i = g + i * in.value_size;
    T *to_query_i = to.q + i * in.features, *to_weights_i = to_weights.data();

    // Back through 4, output_i += weights_i[j]·value_j: the gradients of both factors, and the mean of the ∂w.
    T mean = 0;
    for (std::int64_t j = 0; j < in.keys; ++j)
      if (in.sees(i, j)) {
        T* to_value_j = to.v + j * in.value_size;
        to_weights_i[j] = dot(g_i, in.value(j), in.value_size);
        mean += weights_i[j] * to_weights_i[j];
        for (std::int64_t c = 0; c < in.value_size; ++c) to_value_j[c] += weights_i[j] * g_i[c];
      }

    // Back through 3 and 2, weights_i[j] = e^score / sum, and 1, score = scale·Σ query_i[c]·key_j[c].
    for (std::int64_t j = 0; j < in.keys; ++j)
      if (in.sees(i, j)) {
        const T to_score = weights_i[j] * (to_weights_i[j] - mean);
        const T* key_j = in.key(j);
        T* to_key_j = to.k + j * in.features;
        for (std::int64_t c = 0; c < in.features; ++c) {
          to_query_i[c] += in.scale * to_score * key_j[c];
          to_key_j[c] += in.scale * to_score * query_i[c];
        }
      }
  }
}

}  // namespace regard::attention_ladder

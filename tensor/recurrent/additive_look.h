#pragma once

#include "tensor/loops/softmax_row.h"
#include "tensor/math/math.h"

#include <algorithm>
#include <cstdint>

// One look of additive attention: a query q at all keys of one sequence.
//   sⱼ = Σ w·tanh(q + kⱼ)       α = softmax s, over the keys that are kept       c = Σⱼ αⱼ·vⱼ
namespace regard::recurrent {

struct LookSizes {
  std::int64_t keys, features, values;  // K, D, M
};

// to += factor·x
template <class T>
void add_scaled(T* __restrict to, T factor, const T* __restrict x, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] += factor * x[i];
}

template <class T>
void look(const LookSizes& n, const T* q, const T* keys, const T* values, const T* keep, const T* w, T* weights,
          T* context) {
  for (std::int64_t j = 0; j < n.keys; ++j) {
    const auto term = [=, key = keys + j * n.features](auto at) { return at(w) * math::tanh(at(q) + at(key)); };
    weights[j] = keep[j] != 0 ? loops::sum_row<T>(n.features, term) : 0;
  }
  loops::softmax_of_kept(weights, weights, T{1}, keep, n.keys);
  std::fill_n(context, n.values, T{0});
  for (std::int64_t j = 0; j < n.keys; ++j)
    if (keep[j] != 0) add_scaled(context, weights[j], values + j * n.values, n.values);
}

// For one key, with ds, the gradient of its score, and u = tanh(q + k):  ∂q = ∂k = ds·w·(1 − u²), ∂w = ds·u.
template <class T>
void add_key_gradients(T ds, const T* __restrict q, const T* __restrict key, const T* __restrict w, T* __restrict to_q,
                       T* __restrict to_key, T* __restrict to_w, std::int64_t features) {
  for (std::int64_t d = 0; d < features; ++d) {
    const T u = math::tanh(q[d] + key[d]), slope = ds * w[d] * (1 - u * u);
    to_q[d] += slope;
    to_key[d] += slope;
    to_w[d] += ds * u;
  }
}

// Given dc, the gradient of the context, and in to_weights what arrives at the weights from elsewhere:
//   ∂αⱼ = dc·vⱼ + what arrives,   ∂sⱼ = αⱼ·(∂αⱼ − Σᵢ αᵢ·∂αᵢ),   ∂vⱼ = αⱼ·dc,   and from each score as above.
// All is added to what is there, as keys, values and w serve every step; to_weights becomes that of the scores.
template <class T>
void look_gradients(const LookSizes& n, const T* q, const T* keys, const T* values, const T* keep, const T* w,
                    const T* weights, const T* dc, T* to_weights, T* to_q, T* to_keys, T* to_values, T* to_w) {
  T mean = 0;
  for (std::int64_t j = 0; j < n.keys; ++j) {
    if (keep[j] == 0) continue;
    const T* value = values + j * n.values;
    to_weights[j] += loops::sum_row<T>(n.values, [=](auto at) { return at(dc) * at(value); });
    mean += weights[j] * to_weights[j];
  }
  for (std::int64_t j = 0; j < n.keys; ++j) {
    if (keep[j] == 0) continue;
    add_scaled(to_values + j * n.values, weights[j], dc, n.values);
    add_key_gradients(weights[j] * (to_weights[j] - mean), q, keys + j * n.features, w, to_q, to_keys + j * n.features,
                      to_w, n.features);
  }
}

}  // namespace regard::recurrent

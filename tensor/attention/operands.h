#pragma once

#include "tensor/attention/key_range.h"
#include "tensor/error.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace regard::attention_ladder {

// What every rung of the ladder reads: one head of attention, three matrices of dense rows. A mask says which keys a
// query sees; a pair of a query and a key that it does not see is called hidden. The mask is a table, or a range of
// keys for each query, of which rung 5 makes use.
template <class T>
struct Operands {
  std::int64_t queries, keys, features, value_size;  // Lq, Lk, D, Dv
  const T* q;                                        // (Lq, D)
  const T* k;                                        // (Lk, D)
  const T* v;                                        // (Lk, Dv)
  T scale;                                           // of the scores, usually 1/√D
  const std::uint8_t* table = nullptr;               // (Lq, Lk): 0 where query i does not see key j; none: it sees all
  const KeyRange* ranges = nullptr;                  // (Lq): the keys that query i sees; none: all

  const T* query(std::int64_t i) const { return q + i * features; }
  const T* key(std::int64_t j) const { return k + j * features; }
  const T* value(std::int64_t j) const { return v + j * value_size; }

  bool sees(std::int64_t i, std::int64_t j) const {
    return (!table || table[i * keys + j] != 0) && (!ranges || (ranges[i].first <= j && j < ranges[i].last));
  }
  bool sees_any(std::int64_t i) const {
    for (std::int64_t j = 0; j < keys; ++j)
      if (sees(i, j)) return true;
    return false;
  }
};

// Where gradients go: matrices as large as the operands. What stood there before is lost.
template <class T>
struct Gradients {
  T* q;                // (Lq, D)
  T* k;                // (Lk, D)
  T* v;                // (Lk, Dv)
  T* theta = nullptr;  // (D), of the parameters of a score: rung 4
};

// From rung 2 on this is what is known of a query after the forward pass.
template <class T>
struct Softmax {
  T* output;   // (Lq, Dv)
  T* largest;  // (Lq): m, the largest score that the query sees
  T* sum;      // (Lq): l, the sum of e^(score − m) over all keys that it sees
};

// Every score is at least this large, but for −∞. A search for the largest begins here and not at −∞, because the
// distance of a score of −∞ from it, −∞ − (−∞), would be no number.
template <class T>
inline constexpr T lowest = std::numeric_limits<T>::lowest();

// Σ_c x_c·y_c
template <class T>
T dot(const T* x, const T* y, std::int64_t count) {
  T sum = 0;
  for (std::int64_t c = 0; c < count; ++c) sum += x[c] * y[c];
  return sum;
}

template <class T>
void check(const Operands<T>& in) {
  if (std::min({in.queries, in.keys, in.features, in.value_size}) < 0)
    fail<ShapeError>("attention_ladder: {} queries, {} keys, {} features and values of {}: a size is negative",
                     in.queries, in.keys, in.features, in.value_size);
  for (std::int64_t i = 0; in.ranges && i < in.queries; ++i)
    if (in.ranges[i].first < 0 || in.ranges[i].last > in.keys)
      fail<ValueError>("attention_ladder: query {} is to see the keys from {} to {}, of which there are {}", i,
                       in.ranges[i].first, in.ranges[i].last, in.keys);
}

template <class T>
void clear(const Operands<T>& in, const Gradients<T>& to) {
  std::fill_n(to.q, in.queries * in.features, T{0});
  std::fill_n(to.k, in.keys * in.features, T{0});
  std::fill_n(to.v, in.keys * in.value_size, T{0});
  if (to.theta) std::fill_n(to.theta, in.features, T{0});
}

}  // namespace regard::attention_ladder

#pragma once

#include "tensor/attention/ladder.h"

#include <cmath>
#include <functional>
#include <vector>

namespace regard::attention_ladder {

struct Sizes {
  std::int64_t queries, keys, features, value_size;
};
inline std::size_t product_of(std::int64_t a, std::int64_t b) { return static_cast<std::size_t>(a * b); }

// Numbers between −1 and 1, the same for the same seed.
template <class T>
std::vector<T> numbers(std::size_t count, unsigned seed) {
  std::vector<T> x(count);
  for (T& one : x) {
    seed = seed * 1664525u + 1013904223u;
    one = static_cast<T>(static_cast<double>(seed >> 8) / (1 << 23) - 1);
  }
  return x;
}

// Operands with memory of their own, and a gradient for the output.
template <class T>
struct Problem {
  explicit Problem(const Sizes& s, unsigned seed = 1)
      : sizes(s),
        q(numbers<T>(product_of(s.queries, s.features), seed)),
        k(numbers<T>(product_of(s.keys, s.features), seed + 1)),
        v(numbers<T>(product_of(s.keys, s.value_size), seed + 2)),
        g(numbers<T>(product_of(s.queries, s.value_size), seed + 3)),
        scale(static_cast<T>(1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(s.features, 1))))) {}

  void hide(const std::function<bool(std::int64_t, std::int64_t)>& sees) {
    table.assign(product_of(sizes.queries, sizes.keys) + 1, 0);  // one more, so that it is not nullptr
    for (std::int64_t i = 0; i < sizes.queries; ++i)
      for (std::int64_t j = 0; j < sizes.keys; ++j)
        table[product_of(i, sizes.keys) + static_cast<std::size_t>(j)] = sees(i, j);
  }
  Operands<T> operands() const {
    return {sizes.queries,
            sizes.keys,
            sizes.features,
            sizes.value_size,
            q.data(),
            k.data(),
            v.data(),
            scale,
            table.empty() ? nullptr : table.data(),
            ranges.empty() ? nullptr : ranges.data()};
  }

  Sizes sizes;
  std::vector<T> q, k, v, g;
  T scale;
  std::vector<std::uint8_t> table;
  std::vector<KeyRange> ranges;
};

// The output and the gradients of a problem. They begin as sevens, which must all be overwritten.
template <class T>
struct Results {
  explicit Results(const Problem<T>& p)
      : output(p.g.size(), T{7}), q(p.q.size(), T{7}), k(p.k.size(), T{7}), v(p.v.size(), T{7}) {}
  Gradients<T> gradients() { return {q.data(), k.data(), v.data()}; }
  std::vector<T> output, q, k, v;
};

template <class T>
Results<T> results_of(const Rung<T>& rung, const Problem<T>& p) {
  Results<T> made(p);
  rung.gradient(p.operands(), p.g.data(), made.output.data(), made.gradients());
  return made;
}

// The largest difference of two numbers in the same place, in units of the largest expected number, if that is more
// than 1. NaN differs from NaN by nothing, and from all others by ∞.
template <class T>
double difference(const std::vector<T>& x, const std::vector<T>& expected) {
  double largest = x.size() == expected.size() ? 0 : INFINITY, unit = 1;
  for (std::size_t n = 0; n < x.size() && n < expected.size(); ++n) {
    const auto a = static_cast<double>(x[n]), b = static_cast<double>(expected[n]);
    if (std::isfinite(b)) unit = std::max(unit, std::abs(b));
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    largest = std::max(largest, std::isfinite(a) && std::isfinite(b) ? std::abs(a - b) : INFINITY);
  }
  return largest / unit;
}
template <class T>
double difference(const Results<T>& x, const Results<T>& expected) {
  return std::max({difference(x.output, expected.output), difference(x.q, expected.q), difference(x.k, expected.k),
                   difference(x.v, expected.v)});
}

}  // namespace regard::attention_ladder

#pragma once

#include <cstring>
#include <type_traits>

namespace regard::math {

// How wide the vector registers of the processor are, and how many it has.
#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64, vector_registers = 32;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32, vector_registers = 16;
#elif defined(__aarch64__)
inline constexpr int vector_bytes = 16, vector_registers = 32;
#else
inline constexpr int vector_bytes = 16, vector_registers = 16;
#endif

// A register full of T: GCC and Clang add, multiply and subscript it like a number.
template <class T>
using Vector [[gnu::vector_size(vector_bytes)]] = T;

template <class T>
inline constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));

// The library has this function for the width that it was compiled for, and for no other. What is compiled outside and
// exchanges whole registers with it calls it, so that a program made for another width does not link.
template <int bytes>
void library_has_vectors_of_bytes();

template <class T>
Vector<T> load(const T* from) {  // from anywhere, aligned or not
  Vector<T> vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

template <class T, class V>
void store(T* to, const V& vector) {
  std::memcpy(to, &vector, sizeof vector);
}

// True for NaN of a real type; integers have none.
template <class T>
constexpr bool is_nan_number(T value) {
  if constexpr (std::is_floating_point_v<T>) return value != value;
  return false;
}

// All lanes combined into one number: the upper half with the lower half, until a single lane is left.
template <class T, int bytes = vector_bytes, class Half, class Combine>
[[gnu::always_inline]] inline T fold_register(const Half& x, const Combine& combine) {
  using HalfAsWide [[gnu::vector_size(bytes / 2)]] = T;
  HalfAsWide low, high;
  std::memcpy(&low, &x, bytes / 2);
  std::memcpy(&high, reinterpret_cast<const char*>(&x) + bytes / 2, bytes / 2);
  const HalfAsWide both = combine(low, high);
  if constexpr (bytes / 2 == sizeof(T))
    return both[0];
  else
    return fold_register<T, bytes / 2>(both, combine);
}

// The number in a lane, and two that are made of all lanes.
template <class V>
using Lane = std::remove_cvref_t<decltype(V{}[0])>;

template <class V>
Lane<V> sum_of_lanes(const V& x) {
  return fold_register<Lane<V>>(x, [](const auto& a, const auto& b) { return a + b; });
}
template <class V>
Lane<V> largest_lane(const V& x) {
  return fold_register<Lane<V>>(x, [](const auto& a, const auto& b) { return a > b ? a : b; });
}

// f(x) and f(a, b, c) lane by lane: the loops are written so that they become vector instructions if f allows it.
template <class V, class F>
[[gnu::always_inline]] inline V each_lane(V x, const F& f) {
  alignas(sizeof x) Lane<V> y[sizeof x / sizeof x[0]];
  store(y, x);
  for (Lane<V>& one : y) one = f(one);
  return load(y);
}
template <class V, class F>
[[gnu::always_inline]] inline V each_lane(V a, V b, V c, const F& f) {
  constexpr int count = sizeof a / sizeof a[0];
  alignas(sizeof a) Lane<V> x[count], y[count], z[count];
  store(x, a), store(y, b), store(z, c);
  for (int i = 0; i < count; ++i) z[i] = f(x[i], y[i], z[i]);
  return load(z);
}

}  // namespace regard::math

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace regard::loops {

// A store fetches its cache line first, though all of it will be overwritten, and drives another line out. A large
// result is better written past the caches: y = x + c then moves two thirds of the bytes. A small one is not: whoever
// reads it next would have found it there. Where that turns was measured, with results that are read at once.
inline constexpr std::int64_t large_result = std::int64_t{1} << 26;

inline bool goes_past_caches([[maybe_unused]] const std::byte* to, [[maybe_unused]] std::int64_t bytes) {
#if defined(__SSE2__)
  return bytes >= large_result && reinterpret_cast<std::uintptr_t>(to) % 64 == 0;
#else
  return false;  // there is no such store
#endif
}

// Copies between places that are aligned to 64 bytes. Other threads may read the copy after finish_copies().
void copy_past_caches(std::byte* to, const std::byte* from, std::int64_t bytes);
void finish_copies();

// Elements that are computed aside and then copied: so few that the next piece is computed while this one is on its
// way.
inline constexpr std::int64_t short_piece = 512;

// to[i] = f(i), computed in pieces that are copied.
template <class T, class F>
void write_past_caches(T* to, std::int64_t count, const F& f) {
  alignas(64) T made[short_piece];
  for (std::int64_t begin = 0; begin < count; begin += short_piece) {
    const std::int64_t n = std::min(short_piece, count - begin);
    for (std::int64_t i = 0; i < n; ++i) made[i] = f(begin + i);
    copy_past_caches(reinterpret_cast<std::byte*>(to + begin), reinterpret_cast<const std::byte*>(made),
                     n * static_cast<std::int64_t>(sizeof(T)));
  }
}

}  // namespace regard::loops

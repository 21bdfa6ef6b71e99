#pragma once

// Included in front of every source: what the standard library of Debian 12's emscripten (of 2022) does not have yet.
// A newer one has it all, and takes nothing from here.
#include <version>

#ifndef __cpp_lib_bit_cast
#include <cstring>

namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 15000
#include <algorithm>
#include <functional>

namespace std::ranges {

inline constexpr auto any_of = [](auto&& all, auto is) { return std::any_of(std::begin(all), std::end(all), is); };
inline constexpr auto all_of = [](auto&& all, auto is) { return std::all_of(std::begin(all), std::end(all), is); };
inline constexpr auto find = [](auto&& all, const auto& x) { return std::find(std::begin(all), std::end(all), x); };
inline constexpr auto find_if = [](auto&& all, auto is) { return std::find_if(std::begin(all), std::end(all), is); };
inline constexpr auto count = [](auto&& all, const auto& x) { return std::count(std::begin(all), std::end(all), x); };
inline constexpr auto stable_sort = [](auto&& all, auto less, auto part) {
  std::stable_sort(std::begin(all), std::end(all),
                   [&](const auto& a, const auto& b) { return less(std::invoke(part, a), std::invoke(part, b)); });
};

}  // namespace std::ranges
#endif

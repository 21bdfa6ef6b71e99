#pragma once

#include <cstdint>
#include <string>

namespace regard {

// The names of the numbers 0 … 999,999. English has the tens before the ones; German has the ones, "und", and then the
// tens, and writes all of it as one word:
//   421   four hundred twenty-one   vierhundert·ein·und·zwanzig
std::string in_english(std::int64_t number);
std::string in_german(std::int64_t number);

inline constexpr std::int64_t largest_named = 999'999;

}  // namespace regard

#pragma once

// Catch2 by one name. Version 2 is one header; version 3 is many, and moved or renamed a few things. Tests include this
// file only and are written in the words of version 3.

#if __has_include(<catch2/catch_all.hpp>)

#include <catch2/catch_all.hpp>

using Catch::Approx;

#else

// An assertion that throws ends its test case either way; not catching it on the spot saves a sixth of the compile
// time.
#define CATCH_CONFIG_FAST_COMPILE
#include <catch2/catch.hpp>

namespace Catch::Matchers {

inline auto ContainsSubstring(const std::string& text, CaseSensitive::Choice caseSensitivity = CaseSensitive::Yes) {
  return Contains(text, caseSensitivity);
}

}  // namespace Catch::Matchers

#endif

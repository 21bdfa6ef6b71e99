#pragma once

#include <span>

namespace regard::nn {

// The code points of a class as ranges, in ascending order. unicode_ranges.py makes the numbers.
struct CodeRange {
  char32_t first, last;
};

std::span<const CodeRange> letter_ranges();
std::span<const CodeRange> digit_ranges();
std::span<const CodeRange> space_ranges();

}  // namespace regard::nn

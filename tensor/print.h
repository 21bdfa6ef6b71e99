#pragma once

#include "tensor/tensor.h"

#include <string>

namespace regard {

struct PrintOptions {
  int precision = 4;              // digits after the point
  std::int64_t threshold = 1000;  // tensors with more elements are shown in part:
  std::int64_t edge = 3;          // so many at each end of every axis
  int line_width = 100;
};

// Rows in brackets, columns aligned, as NumPy prints: [[1, 2], [3, 4]] over two lines. Numbers are shown as integers
// where all are; floats in scientific form where one is 10⁸ or more, or too small for the digits.
std::string to_string(const Tensor& x, const PrintOptions& options = {});

}  // namespace regard

// fmt::print("{}", x) prints as above; fmt::print("{:.2}", x) with two digits after the point.
template <>
struct fmt::formatter<regard::Tensor> : regard::PlainFormatter {
  regard::PrintOptions options;

  constexpr auto parse(fmt::format_parse_context& context) {
    auto it = context.begin();
    if (it == context.end() || *it != '.') return it;
    int digits = 0;
    for (++it; it != context.end() && *it >= '0' && *it <= '9'; ++it) digits = digits * 10 + (*it - '0');
    options.precision = digits;
    return it;
  }

  fmt::format_context::iterator format(const regard::Tensor& x, fmt::format_context& context) const;
};

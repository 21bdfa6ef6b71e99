#pragma once

#include "tensor/tensor.h"

namespace regard {

// Other ways to see the same elements. None of these copies, except reshape and flatten where strides cannot say it.

Tensor reshape(const Tensor& x, const Shape& shape);             // one size may be −1: what is left over
Tensor flatten(const Tensor& x, int first = 0, int last = -1);   // axes first … last become one
Tensor permute(const Tensor& x, const std::vector<int>& order);  // axis i of the result is axis order[i] of x
Tensor transpose(const Tensor& x, int a = -2, int b = -1);       // swaps two axes
Tensor unsqueeze(const Tensor& x, int axis);                     // a new axis of size 1, which is `axis` in the result
Tensor squeeze(const Tensor& x, int axis);                       // drops an axis, whose size must be 1
Tensor squeeze(const Tensor& x);                                 // drops all axes of size 1
Tensor expand(const Tensor& x, const Shape& shape);              // repeats axes of size 1, and adds axes in front

// Elements begin, begin + step, … < end of an axis, as in Python: negative positions count from the end, and what
// lies outside is cut off.
inline constexpr std::int64_t to_end = INT64_MAX;
Tensor slice(const Tensor& x, int axis, std::int64_t begin, std::int64_t end = to_end, std::int64_t step = 1);

Tensor select(const Tensor& x, int axis, std::int64_t index);  // one position of an axis; the axis is dropped
Tensor flip(const Tensor& x, int axis);                        // back to front

// Each element `count` times in a row: along axis 0 (a, b) becomes (a, a, b, b). For a count above 1 this copies.
Tensor repeat_interleave(const Tensor& x, std::int64_t count, int axis);

}  // namespace regard

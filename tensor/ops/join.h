#pragma once

#include "tensor/tensor.h"

#include <initializer_list>
#include <vector>

namespace regard {

Tensor cat(const std::vector<Tensor>& parts, int axis);    // end to end along an axis they have
Tensor stack(const std::vector<Tensor>& parts, int axis);  // side by side along a new axis
// So that cat({a, b}, 0) of Tensors means these, where Variables are known as well.
inline Tensor cat(std::initializer_list<Tensor> parts, int axis) { return cat(std::vector<Tensor>(parts), axis); }
inline Tensor stack(std::initializer_list<Tensor> parts, int axis) { return stack(std::vector<Tensor>(parts), axis); }
std::vector<Tensor> split(const Tensor& x, const std::vector<std::int64_t>& sizes, int axis);  // views; undoes cat

// Room around the data: widths[axis] elements are added before and after, filled with `value`.
struct AxisPadding {
  std::int64_t before = 0, after = 0;
};
Tensor pad(const Tensor& x, const std::vector<AxisPadding>& widths, double value = 0);

// Zeros of the given shape, in which x stands at positions begin, begin + step, … of an axis: the reverse of slice.
Tensor place(const Tensor& x, const Shape& shape, int axis, std::int64_t begin, std::int64_t step);

// Throw unless the parts are alike; unless the sizes add up to the axis of the shape.
void require_stack(const std::vector<Tensor>& parts);
void require_split(const Shape& shape, const std::vector<std::int64_t>& sizes, int axis);

}  // namespace regard

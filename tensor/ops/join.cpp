#include "tensor/ops/join.h"

#include "tensor/create.h"
#include "tensor/loops/copy.h"
#include "tensor/view.h"

namespace regard {
namespace {

void require_parts(const char* operation, const std::vector<Tensor>& parts) {
  if (parts.empty()) fail<ValueError>("{}: there is nothing to join", operation);
  for (const Tensor& part : parts) require_same_dtype(operation, parts.front(), part);
}

std::int64_t sum_of_sizes(const char* operation, std::int64_t a, std::int64_t b) {
  std::int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) fail<ShapeError>("{}: an axis of {} + {} is too long", operation, a, b);
  return sum;
}

}  // namespace

Tensor cat(const std::vector<Tensor>& parts, int axis) {
  require_parts("cat", parts);
  const int along = axis_of("cat", axis, parts.front().shape());
  Shape shape = parts.front().shape();
  shape[along] = 0;
  for (const Tensor& part : parts) {
    Shape other = part.shape();
    if (other.rank() == shape.rank()) other[along] = shape[along];
    if (other != shape)
      fail<ShapeError>("cat: {} and {} differ in another axis than {}", parts.front().shape(), part.shape(), axis);
    shape[along] = sum_of_sizes("cat", shape[along], part.shape()[along]);
  }
  Tensor result = empty(shape, parts.front().dtype());
  std::int64_t begin = 0;
  for (const Tensor& part : parts) {
    const std::int64_t end = begin + part.shape()[along];
    loops::copy_into(slice(result, along, begin, end), part);
    begin = end;
  }
  return result;
}

void require_stack(const std::vector<Tensor>& parts) {
  require_parts("stack", parts);
  for (const Tensor& part : parts)
    if (part.shape() != parts.front().shape())
      fail<ShapeError>("stack: {} and {} differ", parts.front().shape(), part.shape());
}

Tensor stack(const std::vector<Tensor>& parts, int axis) {
  require_stack(parts);
  std::vector<Tensor> layers;
  for (const Tensor& part : parts) layers.push_back(unsqueeze(part, axis));
  return cat(layers, axis);
}

void require_split(const Shape& shape, const std::vector<std::int64_t>& sizes, int axis) {
  std::int64_t left = shape[axis_of("split", axis, shape)];
  bool fits = true;
  for (std::int64_t part : sizes) {
    fits = fits && part >= 0 && part <= left;
    if (fits) left -= part;
  }
  if (!fits || left != 0)
    fail<ShapeError>("split: [{}] does not cut axis {} of {} into parts", comma_separated(sizes), axis, shape);
}

std::vector<Tensor> split(const Tensor& x, const std::vector<std::int64_t>& sizes, int axis) {
  require_split(x.shape(), sizes, axis);
  std::vector<Tensor> parts;
  std::int64_t begin = 0;
  for (std::int64_t size : sizes) {
    parts.push_back(slice(x, axis, begin, begin + size));
    begin += size;
  }
  return parts;
}

Tensor pad(const Tensor& x, const std::vector<AxisPadding>& widths, double value) {
  if (static_cast<int>(widths.size()) != x.rank())
    fail<ShapeError>("pad: {} needs widths for {} axes, got {}", x.shape(), x.rank(), widths.size());
  Shape shape = x.shape();
  for (int axis = 0; axis < x.rank(); ++axis) {
    const auto [before, after] = widths[axis];
    if (before < 0 || after < 0)
      fail<ValueError>("pad: the widths {} and {} of axis {} must not be negative", before, after, axis);
    shape[axis] = sum_of_sizes("pad", sum_of_sizes("pad", before, shape[axis]), after);
  }
  const Tensor result = full(shape, value, x.dtype());
  Tensor middle = result;
  for (int axis = 0; axis < x.rank(); ++axis)
    middle = slice(middle, axis, widths[axis].before, widths[axis].before + x.shape()[axis]);
  loops::copy_into(middle, x);
  return result;
}

Tensor place(const Tensor& x, const Shape& shape, int axis, std::int64_t begin, std::int64_t step) {
  axis = axis_of("place", axis, shape);
  const Tensor result = zeros(shape, x.dtype());
  if (begin < 0 || step < 1) fail<ValueError>("place: cannot start at {} and go in steps of {}", begin, step);
  const std::int64_t count = x.rank() == shape.rank() ? x.shape()[axis] : 0;
  const Tensor target = slice(result, axis, begin, count == 0 ? begin : begin + (count - 1) * step + 1, step);
  if (target.shape() != x.shape())
    fail<ShapeError>("place: {} does not fit into {} on axis {} from {} in steps of {}", x.shape(), shape, axis, begin,
                     step);
  loops::copy_into(target, x);
  return result;
}

}  // namespace regard

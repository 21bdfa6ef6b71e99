#include "tensor/view.h"

#include "tensor/loops/walk.h"
#include "tensor/view_shapes.h"

#include <algorithm>
#include <optional>

namespace regard {
namespace {

// Strides that show x in another shape, if there are any. Axes of x that lie evenly behind one another are merged into
// runs first; then each run must be filled by whole axes of the new shape, from the inside out.
std::optional<Strides> strides_for(const Tensor& x, const Shape& shape) {
  if (x.numel() == 0) return contiguous_strides(shape);
  const loops::Walk<1> runs(x.shape(), {x.strides()});
  Strides strides = Strides::filled(shape.rank(), 1);
  int run = runs.rank() - 1;
  std::int64_t filled = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    if (shape[axis] == 1) continue;
    if (filled == runs.size(run)) {
      --run;
      filled = 1;
    }
    if (filled * shape[axis] > runs.size(run)) return std::nullopt;
    strides[axis] = runs.steps(run)[0] * filled;
    filled *= shape[axis];
  }
  return strides;
}

// `shape` with −1 replaced by what is left over of the elements of `from`.
Shape resolve_shape(const Shape& from, const Shape& shape) {
  Shape result = shape;
  int open = -1;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == -1 && open < 0) {
      open = axis;
      result[axis] = 1;
    } else if (shape[axis] < 0) {
      fail<ShapeError>("reshape: {} → {}: sizes must not be negative, but for a single −1", from, shape);
    }
  }
  require_possible(result);
  const std::int64_t known = result.numel();
  if (open >= 0 && known > 0 && from.numel() % known == 0) result[open] = from.numel() / known;
  if (result.numel() != from.numel() || (open >= 0 && known == 0))
    fail<ShapeError>("reshape: {} → {}: {} elements cannot take this shape", from, shape, from.numel());
  return result;
}

}  // namespace

Tensor reshape(const Tensor& x, const Shape& shape) {
  const Shape resolved = resolve_shape(x.shape(), shape);
  if (resolved == x.shape()) return x;
  if (const auto strides = strides_for(x, resolved)) return x.view(resolved, *strides, x.offset());
  const Tensor packed = contiguous(x);
  return packed.view(resolved, contiguous_strides(resolved), packed.offset());
}

Tensor flatten(const Tensor& x, int first, int last) {
  if (x.rank() == 0) return reshape(x, {1});
  first = axis_of("flatten", first, x.shape());
  last = axis_of("flatten", last, x.shape());
  if (first > last) fail<ShapeError>("flatten: axis {} of {} does not come before axis {}", first, x.shape(), last);
  Shape shape;
  for (int axis = 0; axis < x.rank(); ++axis)
    if (axis > first && axis <= last)
      shape[first] *= x.shape()[axis];
    else
      shape.push_back(x.shape()[axis]);
  return reshape(x, shape);
}

Tensor permute(const Tensor& x, const std::vector<int>& order) {
  if (static_cast<int>(order.size()) != x.rank())
    fail<ShapeError>("permute: ({}) does not name each axis of {} once", comma_separated(order), x.shape());
  Shape shape, seen = Shape::filled(x.rank(), 0);
  Strides strides;
  for (int axis : order) {
    const int from = axis_of("permute", axis, x.shape());
    if (seen[from]++)
      fail<ShapeError>("permute: ({}) does not name each axis of {} once", comma_separated(order), x.shape());
    shape.push_back(x.shape()[from]);
    strides.push_back(x.strides()[from]);
  }
  return x.view(shape, strides, x.offset());
}

Tensor transpose(const Tensor& x, int a, int b) {
  a = axis_of("transpose", a, x.shape());
  b = axis_of("transpose", b, x.shape());
  Shape shape = x.shape();
  Strides strides = x.strides();
  std::swap(shape[a], shape[b]);
  std::swap(strides[a], strides[b]);
  return x.view(shape, strides, x.offset());
}

Tensor unsqueeze(const Tensor& x, int axis) {
  Shape shape = x.shape();
  shape.insert(0, 1);  // so that an axis behind the last one is in range
  axis = axis_of("unsqueeze", axis, shape);
  shape = x.shape();
  Strides strides = x.strides();
  shape.insert(axis, 1);
  strides.insert(axis, 1);
  return x.view(shape, strides, x.offset());
}

Tensor squeeze(const Tensor& x, int axis) {
  axis = axis_of("squeeze", axis, x.shape());
  if (x.shape()[axis] != 1)
    fail<ShapeError>("squeeze: axis {} of {} has size {}, not 1", axis, x.shape(), x.shape()[axis]);
  return x.view(x.shape().without(axis), x.strides().without(axis), x.offset());
}

Tensor squeeze(const Tensor& x) {
  Tensor result = x;
  for (int axis = x.rank() - 1; axis >= 0; --axis)
    if (x.shape()[axis] == 1) result = squeeze(result, axis);
  return result;
}

Tensor expand(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  require_possible(shape);
  if (x.rank() > shape.rank() || broadcast("expand", x.shape(), shape) != shape)
    fail<ShapeError>("expand: {} → {}: only axes of size 1 can be stretched", x.shape(), shape);
  return x.view(shape, loops::broadcast_strides(x, shape), x.offset());
}

SliceRange slice_range(const Shape& shape, int axis, std::int64_t begin, std::int64_t end, std::int64_t step) {
  axis = axis_of("slice", axis, shape);
  if (step < 1) fail<ValueError>("slice: the step {} is not positive (flip(x, axis) turns an axis around)", step);
  const std::int64_t size = shape[axis];
  const auto position = [size](std::int64_t i) { return std::clamp(i < 0 ? i + size : i, std::int64_t{0}, size); };
  const std::int64_t first = position(begin), length = std::max<std::int64_t>(position(end) - first, 0);
  return {first, length == 0 ? 0 : (length - 1) / step + 1, step};
}

Tensor slice(const Tensor& x, int axis, std::int64_t begin, std::int64_t end, std::int64_t step) {
  axis = axis_of("slice", axis, x.shape());
  const SliceRange range = slice_range(x.shape(), axis, begin, end, step);
  const std::int64_t stride = x.strides()[axis];
  return x.view(x.shape().with(axis, range.count), x.strides().with(axis, range.count > 1 ? stride * step : stride),
                x.offset() + range.begin * stride);
}

Tensor select(const Tensor& x, int axis, std::int64_t index) {
  axis = axis_of("select", axis, x.shape());
  const std::int64_t size = x.shape()[axis];
  if (index < -size || index >= size)
    fail<ValueError>("select: index {} on axis {} is outside {}", index, axis, x.shape());
  const std::int64_t begin = index < 0 ? index + size : index;
  return squeeze(slice(x, axis, begin, begin + 1), axis);
}

Tensor flip(const Tensor& x, int axis) {
  axis = axis_of("flip", axis, x.shape());
  const std::int64_t last = std::max<std::int64_t>(x.shape()[axis] - 1, 0), stride = x.strides()[axis];
  return x.view(x.shape(), x.strides().with(axis, -stride), x.offset() + last * stride);
}

Interleaving interleaving(const Shape& shape, std::int64_t count, int axis) {
  axis = axis_of("repeat_interleave", axis, shape);
  if (count < 0) fail<ValueError>("repeat_interleave: the count {} is negative", count);
  Interleaving result{axis, shape, shape.with(axis, shape[axis] * count)};
  result.beside.insert(axis + 1, count);
  return result;
}

Tensor repeat_interleave(const Tensor& x, std::int64_t count, int axis) {
  const Interleaving way = interleaving(x.shape(), count, axis);
  return contiguous(reshape(expand(unsqueeze(x, way.axis + 1), way.beside), way.joined));
}

}  // namespace regard

#include "tensor/ops/index.h"

#include "tensor/create.h"
#include "tensor/loops/lines.h"
#include "tensor/loops/slices.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"

#include <algorithm>

namespace regard {
namespace {

void require_alike(const char* operation, const Tensor& x, int axis, const Tensor& index) {
  require_indexes(operation, index);
  bool alike = x.rank() == index.rank();
  for (int i = 0; alike && i < x.rank(); ++i) alike = i == axis || x.shape()[i] == index.shape()[i];
  if (!alike)
    fail<ShapeError>("{}: the index {} and the tensor {} must agree in all axes but axis {}", operation, index.shape(),
                     x.shape(), axis);
}

void require_range(const char* operation, const Tensor& index, std::int64_t size) {
  if (index.numel() == 0) return;
  const double low = min(index).item(), high = max(index).item();
  if (low < 0 || high >= static_cast<double>(size))
    fail<ValueError>("{}: the index {} is outside [0, {})", operation, low < 0 ? low : high, size);
}

}  // namespace

Tensor spread_index(const Tensor& x, int axis, const Tensor& index) {
  axis = axis_of("index_select", axis, x.shape());
  if (index.rank() != 1) fail<ShapeError>("index_select: the index {} must be 1-d", index.shape());
  Shape shape = Shape::filled(x.rank(), 1), wide = x.shape();
  shape[axis] = wide[axis] = index.numel();
  return expand(reshape(index, shape), wide);
}

Tensor index_select(const Tensor& x, int axis, const Tensor& index) {
  require_indexes("index_select", index);
  return gather(x, axis, spread_index(x, axis, index));
}

Tensor gather(const Tensor& x, int axis, const Tensor& index) {
  axis = axis_of("gather", axis, x.shape());
  require_alike("gather", x, axis, index);
  const auto slices = x.is_contiguous() ? loops::slice_index(index, axis) : std::nullopt;
  require_range("gather", slices.value_or(index), x.shape()[axis]);
  return dispatch_stored(x.dtype(), [&]<class T>(T) {
    if (slices) {
      Tensor result = empty(index.shape(), x.dtype());
      loops::gather_slices(result.writable<T>(), x.data<T>(), {x.shape(), axis}, slices->data<std::int64_t>(),
                           slices->numel());
      return result;
    }
    const auto pick = [](T* out, loops::Line<std::int64_t> from, loops::Line<T> line) {
      for (std::int64_t j = 0; j < from.count; ++j) out[j] = line[from[j]];
    };
    return loops::map_lines<T, std::int64_t, T>(axis, index.shape()[axis], pick, {index, x});
  });
}

Tensor scatter_add(const Tensor& x, int axis, const Tensor& index, const Tensor& source) {
  axis = axis_of("scatter_add", axis, x.shape());
  require_alike("scatter_add", x, axis, index);
  require_same_dtype("scatter_add", x, source);
  const auto slices = loops::slice_index(index, axis);
  require_range("scatter_add", slices.value_or(index), x.shape()[axis]);
  if (index.shape() != source.shape())
    fail<ShapeError>("scatter_add: the index {} and the source {} differ", index.shape(), source.shape());
  return dispatch(x.dtype(), [&]<class T>(T) {
    if (slices) {
      Tensor result = loops::map<T, T>(x, [](T value) { return value; });
      const Tensor addends = contiguous(source);
      loops::scatter_add_slices(result.writable<T>(), addends.data<T>(), {x.shape(), axis},
                                slices->data<std::int64_t>(), slices->numel());
      return result;
    }
    const auto add = [](T* out, loops::Line<T> line, loops::Line<std::int64_t> into, loops::Line<T> addends) {
      for (std::int64_t i = 0; i < line.count; ++i) out[i] = line[i];
      for (std::int64_t j = 0; j < into.count; ++j) out[into[j]] += addends[j];
    };
    return loops::map_lines<T, T, std::int64_t, T>(axis, x.shape()[axis], add, {x, index, source});
  });
}

void require_mask(const Shape& shape, const Tensor& mask) {
  if (broadcast("masked_fill", shape, mask.shape()) != shape)
    fail<ShapeError>("masked_fill: the mask {} does not broadcast to {}", mask.shape(), shape);
}

Tensor masked_fill(const Tensor& x, const Tensor& mask, double value) {
  require_mask(x.shape(), mask);
  return where(mask, value, x);
}

// Row i keeps the columns j ≤ i + diagonal.
Tensor lower_triangle(const char* operation, const Shape& shape, std::int64_t diagonal, DType dtype) {
  if (shape.rank() < 2) fail<ShapeError>("{}: {} is not a matrix", operation, shape);
  diagonal = std::clamp(diagonal, -shape.back(2), shape.back());  // beyond the matrix nothing changes any more
  const Tensor rows = unsqueeze(arange(shape.back(2)), 1), columns = arange(shape.back());
  return to(less_equal(columns, add(rows, static_cast<double>(diagonal))), dtype);
}

Tensor tril(const Tensor& x, std::int64_t diagonal) {
  return where(lower_triangle("tril", x.shape(), diagonal, x.dtype()), x, 0);
}

Tensor triu(const Tensor& x, std::int64_t diagonal) {
  return where(lower_triangle("triu", x.shape(), std::max(diagonal, INT64_MIN + 1) - 1, x.dtype()), 0, x);
}

Tensor one_hot(const Tensor& index, std::int64_t classes, DType dtype) {
  require_indexes("one_hot", index);
  require_range("one_hot", index, classes);
  return to(equal(unsqueeze(index, -1), arange(classes)), dtype);
}

}  // namespace regard

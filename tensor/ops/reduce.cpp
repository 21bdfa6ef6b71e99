#include "tensor/ops/reduce.h"

#include "tensor/create.h"
#include "tensor/loops/cascade.h"
#include "tensor/loops/fold.h"
#include "tensor/loops/map.h"
#include "tensor/math/math.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace regard {

using math::is_nan_number;

Shape ReducedAxes::marks(const char* operation, const Shape& shape) const {
  Shape marks = Shape::filled(shape.rank(), all_ ? 1 : 0);
  for (int axis : axes_) {
    std::int64_t& mark = marks[axis_of(operation, axis, shape)];
    if (mark) fail<ShapeError>("{}: axis {} of {} is named twice", operation, axis, shape);
    mark = 1;
  }
  return marks;
}

Shape reduced_shape(const Shape& shape, const Shape& marks, KeepDim keep) {
  Shape result;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (!marks[axis]) result.push_back(shape[axis]);
    if (marks[axis] && keep == KeepDim::yes) result.push_back(1);
  }
  return result;
}

std::int64_t reduced_count(const char* operation, const Shape& shape, const ReducedAxes& axes) {
  const Shape marks = axes.marks(operation, shape);
  std::int64_t count = 1;
  for (int axis = 0; axis < shape.rank(); ++axis)
    if (marks[axis]) count *= shape[axis];
  return count;
}

namespace {

constexpr std::int64_t rows_per_block = 128;
constexpr std::int64_t elements_per_block = 1 << 15;

// The summary of what falls onto each element of the result. `fold` summarises rows (see fold_blocks), `combine` two
// numbers; both do it in a fixed order. Partial results are summarised like the elements before them.
template <class T, class Fold, class Combine>
Tensor reduce_axes(const Tensor& x, const Shape& marks, const Fold& fold, Combine combine) {
  const loops::Folding folding(x, marks);
  const Tensor partial = loops::folds_columns(folding) ? loops::fold_columns<T>(x, folding, rows_per_block, combine)
                                                       : loops::fold_blocks<T, T>(x, folding, elements_per_block, fold);
  if (partial.shape()[0] == 1) return partial;
  return reduce_axes<T>(partial, {1, 0}, fold, combine);
}

// The same, where to summarise is to combine one number after the other.
template <class Combine>
Tensor combined(const Tensor& x, const Shape& marks, KeepDim keep, Combine combine) {
  return dispatch(x.dtype(), [&]<class T>(T) {
    const auto fold = [combine](auto for_each_row) {
      T all = Combine::template identity<T>;
      for_each_row([&](const T* row, std::int64_t count, std::int64_t step) {
        all = combine(all, loops::fold_lanes(row, count, step, combine));
      });
      return all;
    };
    return reshape(reduce_axes<T>(x, marks, fold, combine), reduced_shape(x.shape(), marks, keep));
  });
}

template <class Combine>
Tensor extreme(const char* operation, const char* extreme_name, const Tensor& x, const ReducedAxes& axes, KeepDim keep,
               Combine combine) {
  const Shape marks = axes.marks(operation, x.shape());
  if (reduced_count(operation, x.shape(), axes) == 0 && reduced_shape(x.shape(), marks, keep).numel() > 0)
    fail<ShapeError>("{}: {} has no elements along the reduced axes, and none of nothing is {}", operation, x.shape(),
                     extreme_name);
  return combined(x, marks, keep, combine);
}

// The index of the best element, the first of equals. NaN is better than every number.
template <class Better>
Tensor index_of_best(const char* operation, const Tensor& x, int axis, KeepDim keep, Better better) {
  axis = axis_of(operation, axis, x.shape());
  if (x.shape()[axis] == 0) fail<ShapeError>("{}: axis {} of {} has no elements", operation, axis, x.shape());
  const Shape marks = ReducedAxes(axis).marks(operation, x.shape());
  return dispatch(x.dtype(), [&]<class T>(T) {
    const loops::Folding folding(x, marks);
    const auto fold = [better](auto for_each_row) {
      std::int64_t best = 0;
      for_each_row([&](const T* row, std::int64_t count, std::int64_t step) {
        const auto wins = [better](T a, T b) { return better(a, b) || (is_nan_number(a) && !is_nan_number(b)); };
        for (std::int64_t i = 1; i < count; ++i)
          if (wins(row[i * step], row[best * step])) best = i;
      });
      return best;
    };
    const Tensor indexes = loops::fold_blocks<std::int64_t, T>(x, folding, x.shape()[axis], fold);
    return reshape(indexes, reduced_shape(x.shape(), marks, keep));
  });
}

}  // namespace

Tensor sum(const Tensor& x, const ReducedAxes& axes, KeepDim keep) {
  const Shape marks = axes.marks("sum", x.shape());
  return dispatch(x.dtype(), [&]<class T>(T) {
    const auto fold = [](auto for_each_row) {
      loops::CascadeSum<T> sum;
      for_each_row([&](const T* row, std::int64_t count, std::int64_t step) { sum.add(row, count, step); });
      return sum.total();
    };
    return reshape(reduce_axes<T>(x, marks, fold, loops::Plus{}), reduced_shape(x.shape(), marks, keep));
  });
}

Tensor prod(const Tensor& x, const ReducedAxes& axes, KeepDim keep) {
  // In f32 a line whose product is ordinary may have parts with the products ∞ and 0, and ∞·0 is NaN. f64 has room.
  if (x.dtype() == DType::f32) return to(prod(to(x, DType::f64), axes, keep), DType::f32);
  return combined(x, axes.marks("prod", x.shape()), keep, loops::Times{});
}

Tensor mean(const Tensor& x, const ReducedAxes& axes, KeepDim keep) {
  const auto count = reduced_count("mean", x.shape(), axes);
  require_float("mean", x.dtype());
  return divide(sum(x, axes, keep), static_cast<double>(count));
}

Tensor max(const Tensor& x, const ReducedAxes& axes, KeepDim keep) {
  return extreme("max", "largest", x, axes, keep, loops::Larger{});
}

Tensor min(const Tensor& x, const ReducedAxes& axes, KeepDim keep) {
  return extreme("min", "smallest", x, axes, keep, loops::Smaller{});
}

Tensor var(const Tensor& x, const ReducedAxes& axes, KeepDim keep, int correction) {
  const auto count = reduced_count("var", x.shape(), axes);
  const Tensor center = mean(x, axes, keepdim);
  const Tensor squares = dispatch_float("var", x.dtype(), [&]<class T>(T) {
    return loops::map_broadcast<T, T>(
        x.shape(), [](T value, T middle) { return (value - middle) * (value - middle); }, x, center);
  });
  return divide(sum(squares, axes, keep), std::max(0.0, static_cast<double>(count - correction)));
}

Tensor logsumexp(const Tensor& x, const ReducedAxes& axes, KeepDim keep) {
  require_float("logsumexp", x.dtype());
  const Shape marks = axes.marks("logsumexp", x.shape());
  const Tensor none = full(reduced_shape(x.shape(), marks, keepdim), -INFINITY, x.dtype());
  if (x.numel() == 0) return reshape(none, reduced_shape(x.shape(), marks, keep));
  const Tensor largest = max(x, axes, keepdim);
  const Tensor shift = where(equal(abs(largest), INFINITY), zeros({}, x.dtype()), largest);  // ∞ − ∞ would be NaN
  const Tensor powers = dispatch_float("logsumexp", x.dtype(), [&]<class T>(T) {
    return loops::map_registers<T>(
        x.shape(), [](auto value, auto most) { return math::exp(value - most); }, x, shift);
  });
  return reshape(add(shift, log(sum(powers, axes, keepdim))), reduced_shape(x.shape(), marks, keep));
}

Tensor argmax(const Tensor& x, int axis, KeepDim keep) {
  return index_of_best("argmax", x, axis, keep, [](auto a, auto b) { return a > b; });
}

Tensor argmin(const Tensor& x, int axis, KeepDim keep) {
  return index_of_best("argmin", x, axis, keep, [](auto a, auto b) { return a < b; });
}

// By counting: counts are exact, or so large that they are not 0.
Tensor all(const Tensor& x, const ReducedAxes& axes, KeepDim keep) { return equal(sum(equal(x, 0), axes, keep), 0); }

Tensor any(const Tensor& x, const ReducedAxes& axes, KeepDim keep) {
  return not_equal(sum(not_equal(x, 0), axes, keep), 0);
}

ReducedAxes broadcast_axes(const Shape& wide, const Shape& narrow) {
  if (broadcast("sum_to", wide, narrow) != wide) fail<ShapeError>("sum_to: {} was not broadcast from {}", wide, narrow);
  std::vector<int> axes;
  const int added = wide.rank() - narrow.rank();
  for (int axis = 0; axis < wide.rank(); ++axis)
    if (axis < added || (narrow[axis - added] == 1 && wide[axis] != 1)) axes.push_back(axis);
  return ReducedAxes(std::move(axes));
}

// The axes of x in the order in which its elements lie in memory, the farthest apart first: for what does not depend on
// their order.
Tensor in_memory_order(const Tensor& x) {
  std::vector<int> order(static_cast<std::size_t>(x.rank()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return x.strides()[a] > x.strides()[b]; });
  return permute(x, order);
}

bool all_finite(const Tensor& given) {
  const Tensor x = in_memory_order(given);
  if (x.numel() == 0 || std::isfinite(sum(x).item())) return true;
  return std::isfinite(sum(multiply(x, 0)).item());  // large numbers may have an infinite sum
}

Tensor sum_to(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  return reshape(sum(x, broadcast_axes(x.shape(), shape), keepdim), shape);
}

}  // namespace regard

#include "tensor/reduce.h"

#include "tensor/arithmetic.h"
#include "tensor/kernels/cascade.h"
#include "tensor/kernels/fold.h"
#include "tensor/kernels/number.h"
#include "tensor/pointwise.h"
#include "tensor/view.h"

#include <cmath>
#include <limits>

namespace regard {

using kernels::is_nan_number;

Shape Axes::marks(const char* operation, const Shape& shape) const {
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

std::int64_t reduced_count(const char* operation, const Shape& shape, const Axes& axes) {
  const Shape marks = axes.marks(operation, shape);
  std::int64_t count = 1;
  for (int axis = 0; axis < shape.rank(); ++axis)
    if (marks[axis]) count *= shape[axis];
  return count;
}

namespace {

// The first NaN wins, and after it the element that is `better` than all others.
template <class Better>
Tensor extreme(const char* operation, const Tensor& x, const Axes& axes, KeepDim keep, Better better) {
  const Shape marks = axes.marks(operation, x.shape());
  if (reduced_count(operation, x.shape(), axes) == 0 && reduced_shape(x.shape(), marks, keep).numel() > 0)
    fail<ShapeError>("{}: {} has no elements along the reduced axes, and none of nothing is largest", operation,
                     x.shape());
  return dispatch(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    return kernels::fold_axes<T, T>(x, marks, keep, [better](auto for_each_row) {
      T best{};
      bool first = true;
      for_each_row([&](const T* row, std::int64_t count, std::int64_t step) {
        if (std::exchange(first, false)) best = row[0];
        for (std::int64_t i = 0; i < count; ++i) {
          const T value = row[i * step];
          if (better(value, best) || is_nan_number(value)) best = is_nan_number(best) ? best : value;
        }
      });
      return best;
    });
  });
}

}  // namespace

Tensor sum(const Tensor& x, const Axes& axes, KeepDim keep) {
  const Shape marks = axes.marks("sum", x.shape());
  return dispatch(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    return kernels::fold_axes<T, T>(x, marks, keep, [](auto for_each_row) {
      kernels::CascadeSum<T> sum;
      for_each_row([&](const T* row, std::int64_t count, std::int64_t step) { sum.add(row, count, step); });
      return sum.total();
    });
  });
}

Tensor mean(const Tensor& x, const Axes& axes, KeepDim keep) {
  const auto count = reduced_count("mean", x.shape(), axes);
  require_float("mean", x.dtype());
  return divide(sum(x, axes, keep), static_cast<double>(count));
}

Tensor max(const Tensor& x, const Axes& axes, KeepDim keep) {
  return extreme("max", x, axes, keep, [](auto a, auto b) { return a > b; });
}

Tensor min(const Tensor& x, const Axes& axes, KeepDim keep) {
  return extreme("min", x, axes, keep, [](auto a, auto b) { return a < b; });
}

Tensor var(const Tensor& x, const Axes& axes, KeepDim keep, int correction) {
  const auto count = reduced_count("var", x.shape(), axes);
  const Tensor squares = square(subtract(x, mean(x, axes, keepdim)));
  return divide(sum(squares, axes, keep), std::max(0.0, static_cast<double>(count - correction)));
}

Tensor logsumexp(const Tensor& x, const Axes& axes, KeepDim keep) {
  const Shape marks = axes.marks("logsumexp", x.shape());
  return dispatch_float("logsumexp", x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    return kernels::fold_axes<T, T>(x, marks, keep, [](auto for_each_row) {
      constexpr T infinity = std::numeric_limits<T>::infinity();
      T largest = -infinity;
      for_each_row([&](const T* row, std::int64_t count, std::int64_t step) {
        for (std::int64_t i = 0; i < count; ++i) largest = std::max(largest, row[i * step]);
      });
      const T shift = std::isinf(largest) ? T{0} : largest;  // ∞ − ∞ would be NaN
      kernels::CascadeSum<T> sum;
      for_each_row([&](const T* row, std::int64_t count, std::int64_t step) {
        for (std::int64_t begin = 0; begin < count; begin += sum.block) {
          T part = 0;
          const std::int64_t end = std::min(begin + sum.block, count);
          for (std::int64_t i = begin; i < end; ++i) part += std::exp(row[i * step] - shift);
          sum.add_block(part);
        }
      });
      return shift + std::log(sum.total());
    });
  });
}

Tensor argmax(const Tensor& x, int axis, KeepDim keep) {
  axis = axis_of("argmax", axis, x.shape());
  if (x.shape()[axis] == 0) fail<ShapeError>("argmax: axis {} of {} has no elements", axis, x.shape());
  return dispatch(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    return kernels::fold_axes<std::int64_t, T>(x, Axes(axis).marks("argmax", x.shape()), keep, [](auto for_each_row) {
      std::int64_t best = 0;
      for_each_row([&](const T* row, std::int64_t count, std::int64_t step) {
        const auto is_larger = [](T a, T b) { return a > b || (is_nan_number(a) && !is_nan_number(b)); };
        for (std::int64_t i = 1; i < count; ++i)
          if (is_larger(row[i * step], row[best * step])) best = i;
      });
      return best;
    });
  });
}

Axes broadcast_axes(const Shape& wide, const Shape& narrow) {
  if (broadcast("sum_to", wide, narrow) != wide) fail<ShapeError>("sum_to: {} was not broadcast from {}", wide, narrow);
  std::vector<int> axes;
  const int added = wide.rank() - narrow.rank();
  for (int axis = 0; axis < wide.rank(); ++axis)
    if (axis < added || (narrow[axis - added] == 1 && wide[axis] != 1)) axes.push_back(axis);
  return Axes(std::move(axes));
}

Tensor sum_to(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  return reshape(sum(x, broadcast_axes(x.shape(), shape), keepdim), shape);
}

}  // namespace regard

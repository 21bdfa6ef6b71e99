#include "tensor/ops/order.h"

#include "tensor/loops/lines.h"
#include "tensor/math/number.h"
#include "tensor/ops/index.h"

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace regard {
namespace {

template <class T>
bool comes_before(T a, T b) {  // ascending, NaN last
  return a < b || (!math::is_nan_number(a) && math::is_nan_number(b));
}

}  // namespace

Tensor cumsum(const Tensor& x, int axis) {
  axis = axis_of("cumsum", axis, x.shape());
  return dispatch(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    using Sum =
        std::conditional_t<std::is_same_v<T, float>, double, T>;  // each result carries the error of all before it
    const auto accumulate = [](T* out, loops::Line<T> line) {
      Sum sum = 0;
      for (std::int64_t i = 0; i < line.count; ++i) out[i] = static_cast<T>(sum += line[i]);
    };
    return loops::map_lines<T>(axis, x.shape()[axis], accumulate, loops::lines_of<T>(x));
  });
}

Tensor argsort(const Tensor& x, int axis, SortOrder order) {
  axis = axis_of("argsort", axis, x.shape());
  return dispatch(x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const auto arrange = [order](std::int64_t* out, loops::Line<T> line) {
      std::iota(out, out + line.count, std::int64_t{0});
      std::stable_sort(out, out + line.count, [&](std::int64_t a, std::int64_t b) {
        return order == SortOrder::ascending ? comes_before(line[a], line[b]) : comes_before(line[b], line[a]);
      });
    };
    return loops::map_lines<std::int64_t>(axis, x.shape()[axis], arrange, loops::lines_of<T>(x));
  });
}

Tensor sort(const Tensor& x, int axis, SortOrder order) { return gather(x, axis, argsort(x, axis, order)); }

void require_topk(const Shape& shape, std::int64_t k, int axis) {
  const std::int64_t size = shape[axis_of("topk", axis, shape)];
  if (k < 0 || k > size)
    fail<ValueError>("topk: k = {} is outside [0, {}], the size of axis {} of {}", k, size, axis, shape);
}

TopK topk(const Tensor& x, std::int64_t k, int axis) {
  require_topk(x.shape(), k, axis);
  Tensor indexes = slice(argsort(x, axis, SortOrder::descending), axis, 0, k);
  return {gather(x, axis, indexes), indexes};
}

}  // namespace regard

#include "tensor/ops/order.h"

#include "tensor/loops/lanes.h"
#include "tensor/loops/lines.h"
#include "tensor/math/vector.h"
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

// Each result is the one before it, combined with the next element. That of f32 is done in f64, since each result
// carries the error of all before it.
template <class Combine>
Tensor running(const Tensor& x, int axis, Combine combine) {
  return dispatch(x.dtype(), [&]<class T>(T) {
    using Wide = std::conditional_t<std::is_same_v<T, float>, double, T>;
    const auto accumulate = [combine](T* out, loops::Line<T> line) {
      Wide all = Combine::template identity<Wide>;
      for (std::int64_t i = 0; i < line.count; ++i) out[i] = static_cast<T>(all = combine(all, Wide{line[i]}));
    };
    return loops::map_lines<T, T>(axis, x.shape()[axis], accumulate, {x});
  });
}

}  // namespace

Tensor cumsum(const Tensor& x, int axis) { return running(x, axis_of("cumsum", axis, x.shape()), loops::Plus{}); }
Tensor cumprod(const Tensor& x, int axis) { return running(x, axis_of("cumprod", axis, x.shape()), loops::Times{}); }

Tensor cumprod_gradient(const Tensor& g, const Tensor& x, int axis) {
  axis = axis_of("cumprod_gradient", axis, x.shape());
  return dispatch_float("cumprod_gradient", x.dtype(), [&]<class T>(T) {
    // Both products grow at once, one from each end: neither waits for the other. Until they meet, out keeps them.
    const auto gradient = [](T* out, loops::Line<T> g_line, loops::Line<T> x_line) {
      double before = 1, sum = 0, after = 0;
      std::int64_t i = 0, j = x_line.count - 1;
      const auto advance = [&](double out_i, double out_j) {
        out[i] = static_cast<T>(out_i);
        out[j] = static_cast<T>(out_j);
        before *= x_line[i++];
        after = x_line[j--];
      };
      while (j >= 0) {
        sum = g_line[j] + after * sum;
        if (i < j)
          advance(before, sum);
        else if (i == j)
          advance(before * sum, before * sum);
        else
          advance(out[i] * before, out[j] * sum);
      }
    };
    return loops::map_lines<T, T, T>(axis, x.shape()[axis], gradient, {g, x});
  });
}

Tensor argsort(const Tensor& x, int axis, SortOrder order) {
  axis = axis_of("argsort", axis, x.shape());
  return dispatch(x.dtype(), [&]<class T>(T) {
    const auto arrange = [order](std::int64_t* out, loops::Line<T> line) {
      std::iota(out, out + line.count, std::int64_t{0});
      std::stable_sort(out, out + line.count, [&](std::int64_t a, std::int64_t b) {
        return order == SortOrder::ascending ? comes_before(line[a], line[b]) : comes_before(line[b], line[a]);
      });
    };
    return loops::map_lines<std::int64_t, T>(axis, x.shape()[axis], arrange, {x});
  });
}

Tensor sort(const Tensor& x, int axis, SortOrder order) { return gather(x, axis, argsort(x, axis, order)); }

TopK topk(const Tensor& x, std::int64_t k, int axis) {
  const std::int64_t size = x.shape()[axis_of("topk", axis, x.shape())];
  if (k < 0 || k > size)
    fail<ValueError>("topk: k = {} is outside [0, {}], the size of axis {} of {}", k, size, axis, x.shape());
  Tensor indexes = slice(argsort(x, axis, SortOrder::descending), axis, 0, k);
  return {gather(x, axis, indexes), indexes};
}

}  // namespace regard

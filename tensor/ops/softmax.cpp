#include "tensor/ops/softmax.h"

#include "tensor/loops/rows.h"
#include "tensor/loops/softmax_row.h"
#include "tensor/math/math.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <array>
#include <limits>
#include <tuple>

namespace regard {
namespace {

// f(out, x…, lines, length) for all lines of some tensors along the axis, in parts of so many lines.
template <class F, class... X>
Tensor of_lines(int axis, F f, const X&... given) {
  const std::array<Tensor, sizeof...(X)> dense{contiguous(transpose(given, axis, -1))...};  // nearly always they are
  return dispatch_float("softmax", dense[0].dtype(), [&]<class T>(T) {
    Tensor result = empty(dense[0].shape(), dense[0].dtype());
    T* out = result.writable<T>();
    const loops::Rows rows = loops::rows_of(result);
    parallel_for(rows.count, items_of_a_task(rows.length), [&](std::int64_t begin, std::int64_t end) {
      const std::int64_t first = begin * rows.length;
      std::apply([&](const auto&... x) { f(out + first, x.template data<T>() + first..., end - begin, rows.length); },
                 dense);
    });
    return transpose(result, axis, -1);
  });
}

bool lines_are_dense(const Tensor& x, int axis) { return x.shape()[axis] <= 1 || x.strides()[axis] == 1; }

}  // namespace

Tensor softmax(const Tensor& x, int axis) {
  axis = axis_of("softmax", axis, x.shape());
  require_float("softmax", x.dtype());
  if (!lines_are_dense(x, axis) && x.numel() > 0) {  // the same, one step for all lines at a time
    const Tensor powers = exp(x - max(x, axis, keepdim));
    return powers / sum(powers, axis, keepdim);
  }
  const auto lines = []<class T>(T* out, const T* line, std::int64_t count, std::int64_t length) {
    for (const T* end = line + count * length; line < end; out += length, line += length)
      loops::softmax_row(out, line, length, loops::largest_of(line, length));
  };
  return of_lines(axis, lines, x);
}

Tensor softmax_gradient(const Tensor& gradient, const Tensor& made, int axis) {
  const auto lines = []<class T>(T* to, const T* g, const T* y, std::int64_t count, std::int64_t length) {
    for (const T* end = y + count * length; y < end; to += length, g += length, y += length) {
      const T mean = loops::sum_row<T>(length, [=](auto at) { return at(g) * at(y); });
      for (std::int64_t i = 0; i < length; ++i) to[i] = y[i] * (g[i] - mean);
      loops::balance_winner(to, y, length, T{0.5});
    }
  };
  return of_lines(axis, lines, gradient, made);
}

Tensor log_softmax_gradient(const Tensor& gradient, const Tensor& made, int axis) {
  const auto lines = []<class T>(T* to, const T* g, const T* y, std::int64_t count, std::int64_t length) {
    loops::each(
        to, count * length, [](auto log) { return loops::power_or_0<T>(log); }, y);
    for (const T* end = y + count * length; y < end; to += length, g += length, y += length) {
      const T total = loops::sum_row<T>(length, [=](auto at) { return at(g); });
      for (std::int64_t i = 0; i < length; ++i) to[i] = g[i] - to[i] * total;
      loops::balance_winner(to, y, length, std::log(T{0.5}));
    }
  };
  return of_lines(axis, lines, gradient, made);
}

Tensor log_softmax(const Tensor& x, int axis) {
  axis = axis_of("log_softmax", axis, x.shape());
  require_float("log_softmax", x.dtype());
  if (!lines_are_dense(x, axis) && x.numel() > 0) {
    const Tensor shifted = x - max(x, axis, keepdim);
    return shifted - log(sum(exp(shifted), axis, keepdim));
  }
  const auto lines = []<class T>(T* out, const T* line, std::int64_t count, std::int64_t length) {
    for (const T* end = line + count * length; line < end; out += length, line += length) {
      const T largest = loops::largest_of(line, length);
      const T log_total = math::log(loops::sum_of_powers(line, length, largest));
      for (std::int64_t i = 0; i < length; ++i) out[i] = (line[i] - largest) - log_total;
    }
  };
  return of_lines(axis, lines, x);
}

}  // namespace regard

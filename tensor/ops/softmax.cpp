#include "tensor/ops/softmax.h"

#include "tensor/loops/lines.h"
#include "tensor/loops/rows.h"
#include "tensor/loops/softmax_row.h"
#include "tensor/math/math.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

namespace regard {
namespace {

// f(out, line, count) for each line of x along the axis. The lines must be dense.
template <class F>
Tensor along(const Tensor& x, int axis, F f) {
  return dispatch_float("softmax", x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const auto dense = [f](T* out, loops::Line<T> line) { f(out, line.first, line.count); };
    return loops::map_lines<T>(axis, x.shape()[axis], dense, loops::lines_of<T>(x));
  });
}

// Two lines at a time: while one waits for its lanes to meet, as a maximum or a sum, there is work on the other.
template <class T>
void softmax_lines(T* out, const T* x, std::int64_t count, std::int64_t length) {
  for (std::int64_t line = 0; line < count; line += 2) {
    const std::int64_t lines = std::min<std::int64_t>(2, count - line);
    const T* from = x + line * length;
    T *to = out + line * length, largest[2], total[2];
    for (std::int64_t n = 0; n < lines; ++n) largest[n] = loops::largest_of(from + n * length, length);
    for (std::int64_t n = 0; n < lines; ++n)
      total[n] = loops::powers(to + n * length, from + n * length, length, largest[n]);
    for (std::int64_t n = 0; n < lines; ++n) {
      const T share = 1 / total[n], least = std::numeric_limits<T>::min() * total[n];
      for (std::int64_t i = n * length; i < (n + 1) * length; ++i) to[i] = loops::without_tiny(to[i], least) * share;
    }
  }
}

// f(out, g, y, lines, length) for all lines of two tensors along the axis, in parts of so many lines.
template <class F>
Tensor of_lines(const Tensor& gradient, const Tensor& made, int axis, F f) {
  const Tensor g = contiguous(transpose(gradient, axis, -1)), y = contiguous(transpose(made, axis, -1));
  return dispatch_float("softmax", y.dtype(), [&](auto zero) {
    using T = decltype(zero);
    Tensor result = empty(y.shape(), y.dtype());
    T* out = result.writable<T>();
    const T *grads = g.data<T>(), *values = y.data<T>();
    const loops::Rows rows = loops::rows_of(y);
    parallel_for(rows.count, items_of_a_task(rows.length), [=](std::int64_t begin, std::int64_t end) {
      const std::int64_t first = begin * rows.length;
      f(out + first, grads + first, values + first, end - begin, rows.length);
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
  const Tensor lines = contiguous(transpose(x, axis, -1));  // nearly always it is already
  return dispatch_float("softmax", x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    Tensor result = empty(lines.shape(), x.dtype());
    T* out = result.writable<T>();
    const T* in = lines.data<T>();
    const loops::Rows rows = loops::rows_of(lines);
    parallel_for(rows.count, items_of_a_task(rows.length), [=](std::int64_t begin, std::int64_t end) {
      softmax_lines(out + begin * rows.length, in + begin * rows.length, end - begin, rows.length);
    });
    return transpose(result, axis, -1);
  });
}

Tensor softmax_gradient(const Tensor& gradient, const Tensor& made, int axis) {
  const auto lines = []<class T>(T* to, const T* g, const T* y, std::int64_t count, std::int64_t length) {
    for (const T* end = y + count * length; y < end; to += length, g += length, y += length) {
      const T mean = loops::sum_row<T>(length, [=](auto at) { return at(g) * at(y); });
      for (std::int64_t i = 0; i < length; ++i) to[i] = y[i] * (g[i] - mean);
      loops::balance_winner(to, y, length, T{0.5});
    }
  };
  return of_lines(gradient, made, axis, lines);
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
  return of_lines(gradient, made, axis, lines);
}

Tensor log_softmax(const Tensor& x, int axis) {
  axis = axis_of("log_softmax", axis, x.shape());
  require_float("log_softmax", x.dtype());
  if (!lines_are_dense(x, axis) && x.numel() > 0) {
    const Tensor shifted = x - max(x, axis, keepdim);
    return shifted - log(sum(exp(shifted), axis, keepdim));
  }
  return along(x, axis, []<class T>(T* out, const T* line, std::int64_t count) {
    const T largest = loops::largest_of(line, count);
    const T log_total = math::log(loops::sum_of_powers(line, count, largest));
    for (std::int64_t i = 0; i < count; ++i) out[i] = (line[i] - largest) - log_total;
  });
}

}  // namespace regard

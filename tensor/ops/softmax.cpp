#include "tensor/ops/softmax.h"

#include "tensor/loops/cascade.h"
#include "tensor/loops/lines.h"
#include "tensor/loops/registers.h"
#include "tensor/loops/rows.h"
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

// out[i] = e^(line[i] − largest); returns their sum. Both are done a register at a time, and meanwhile the next line
// and the place of its result are fetched.
template <class T>
[[gnu::flatten]] T powers(T* out, const T* line, std::int64_t count, T largest) {
  using loops::taken;
  loops::CascadeSum<T> sum;
  for (std::int64_t begin = 0; begin < count; begin += sum.block) {
    const std::int64_t end = std::min(begin + sum.block, count);
    loops::Taken<T> running[4] = {};
    std::int64_t i = begin;
    for (; i + 4 * taken<T> <= end; i += 4 * taken<T>)
#pragma GCC unroll 4
      for (int n = 0; n < 4; ++n) {
        const std::int64_t at = i + n * taken<T>;
        const auto power = math::exp(loops::take(line + at) - largest);
        loops::put(out + at, power);
        running[n] += power;
        __builtin_prefetch(line + count + at);
        __builtin_prefetch(out + count + at, 1);
      }
    for (; i < end; i += taken<T>) {
      const std::int64_t some = std::min(taken<T>, end - i);
      const auto power = math::exp(loops::take_some(line + i, some, -std::numeric_limits<T>::infinity()) - largest);
      loops::put_some(out + i, some, power);  // behind them stands 0
      running[0] += power;
    }
    sum.add_blocks(loops::total<T>((running[0] + running[1]) + (running[2] + running[3])));
  }
  return sum.total();
}

// Two lines at a time: while one waits for its lanes to meet, as a maximum or a sum, there is work on the other.
template <class T>
void softmax_lines(T* out, const T* x, std::int64_t count, std::int64_t length) {
  for (std::int64_t line = 0; line < count; line += 2) {
    const std::int64_t lines = std::min<std::int64_t>(2, count - line);
    const T* from = x + line * length;
    T *to = out + line * length, largest[2], total[2];
    for (std::int64_t n = 0; n < lines; ++n) largest[n] = loops::largest_of(from + n * length, length);
    for (std::int64_t n = 0; n < lines; ++n) total[n] = powers(to + n * length, from + n * length, length, largest[n]);
    for (std::int64_t n = 0; n < lines; ++n) {
      const T share = 1 / total[n];
      for (std::int64_t i = n * length; i < (n + 1) * length; ++i) to[i] *= share;
    }
  }
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
    parallel_for(rows.count, loops::rows_per_task(rows.length), [=](std::int64_t begin, std::int64_t end) {
      softmax_lines(out + begin * rows.length, in + begin * rows.length, end - begin, rows.length);
    });
    return transpose(result, axis, -1);
  });
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
    const T log_total = math::log(loops::sum_of(line, count, [=](auto v) { return math::exp(v - largest); }));
    for (std::int64_t i = 0; i < count; ++i) out[i] = (line[i] - largest) - log_total;
  });
}

}  // namespace regard

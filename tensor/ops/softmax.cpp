#include "tensor/ops/softmax.h"

#include "tensor/loops/cascade.h"
#include "tensor/loops/lines.h"
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

bool lines_are_dense(const Tensor& x, int axis) { return x.shape()[axis] <= 1 || x.strides()[axis] == 1; }

}  // namespace

Tensor softmax(const Tensor& x, int axis) {
  axis = axis_of("softmax", axis, x.shape());
  require_float("softmax", x.dtype());
  if (!lines_are_dense(x, axis) && x.numel() > 0) {  // the same, one step for all lines at a time
    const Tensor powers = exp(x - max(x, axis, keepdim));
    return powers / sum(powers, axis, keepdim);
  }
  return along(x, axis, []<class T>(T* out, const T* line, std::int64_t count) {
    const T largest = loops::fold_lanes(line, count, 1, loops::Larger{});
    for (std::int64_t i = 0; i < count; ++i) out[i] = math::exp(line[i] - largest);
    loops::CascadeSum<T> sum;
    sum.add(out, count, 1);
    const T share = 1 / sum.total();
    for (std::int64_t i = 0; i < count; ++i) out[i] *= share;
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
    const T largest = loops::fold_lanes(line, count, 1, loops::Larger{});
    const T log_total =
        math::log(loops::sum_over<T>(count, [=](std::int64_t i) { return math::exp(line[i] - largest); }));
    for (std::int64_t i = 0; i < count; ++i) out[i] = (line[i] - largest) - log_total;
  });
}

}  // namespace regard

#include "tensor/softmax.h"

#include "tensor/kernels/cascade.h"
#include "tensor/kernels/lines.h"
#include "tensor/kernels/math.h"

namespace regard {
namespace {

// f(out, line) for each line of x along the axis, after the line has been copied to out where it is not dense; the
// result has the shape of x.
template <class F>
Tensor along(const char* operation, const Tensor& x, int axis, F f) {
  axis = axis_of(operation, axis, x.shape());
  return dispatch_float(operation, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const auto dense = [f](T* out, kernels::Line<T> line) {
      for (std::int64_t i = 0; line.step != 1 && i < line.count; ++i) out[i] = line[i];
      f(out, line.step == 1 ? line.first : out, line.count);
    };
    return kernels::map_lines<T>(axis, x.shape()[axis], dense, kernels::lines_of<T>(x));
  });
}

}  // namespace

Tensor softmax(const Tensor& x, int axis) {
  return along("softmax", x, axis, []<class T>(T* out, const T* line, std::int64_t count) {
    const T largest = kernels::fold_lanes(line, count, 1, kernels::Larger{});
    for (std::int64_t i = 0; i < count; ++i) out[i] = kernels::exp(line[i] - largest);
    kernels::CascadeSum<T> sum;
    sum.add(out, count, 1);
    const T share = 1 / sum.total();
    for (std::int64_t i = 0; i < count; ++i) out[i] *= share;
  });
}

Tensor log_softmax(const Tensor& x, int axis) {
  return along("log_softmax", x, axis, []<class T>(T* out, const T* line, std::int64_t count) {
    const T largest = kernels::fold_lanes(line, count, 1, kernels::Larger{});
    const T log_total =
        kernels::log(kernels::sum_over<T>(count, [=](std::int64_t i) { return kernels::exp(line[i] - largest); }));
    for (std::int64_t i = 0; i < count; ++i) out[i] = (line[i] - largest) - log_total;
  });
}

}  // namespace regard

#include "tensor/softmax.h"

#include "tensor/kernels/cascade.h"
#include "tensor/kernels/lines.h"

#include <cmath>
#include <limits>

namespace regard {
namespace {

template <class T>
T largest_of(kernels::Line<T> x) {
  T largest = -std::numeric_limits<T>::infinity();
  for (std::int64_t i = 0; i < x.count; ++i) largest = std::max(largest, x[i]);
  return largest;
}

template <class T>
T total_of(const T* values, std::int64_t count) {
  kernels::CascadeSum<T> sum;
  sum.add(values, count, 1);
  return sum.total();
}

// f(out, line) for each line of x along the axis; the result has the shape of x.
template <class F>
Tensor along(const char* operation, const Tensor& x, int axis, F f) {
  axis = axis_of(operation, axis, x.shape());
  return dispatch_float(operation, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    return kernels::map_lines<T>(axis, x.shape()[axis], f, kernels::lines_of<T>(x));
  });
}

}  // namespace

Tensor softmax(const Tensor& x, int axis) {
  return along("softmax", x, axis, []<class T>(T* out, kernels::Line<T> line) {
    const T largest = largest_of(line);
    for (std::int64_t i = 0; i < line.count; ++i) out[i] = std::exp(line[i] - largest);
    const T total = total_of(out, line.count);
    for (std::int64_t i = 0; i < line.count; ++i) out[i] /= total;
  });
}

Tensor log_softmax(const Tensor& x, int axis) {
  return along("log_softmax", x, axis, []<class T>(T* out, kernels::Line<T> line) {
    const T largest = largest_of(line);
    for (std::int64_t i = 0; i < line.count; ++i) out[i] = std::exp(line[i] - largest);
    const T log_total = std::log(total_of(out, line.count));
    for (std::int64_t i = 0; i < line.count; ++i) out[i] = (line[i] - largest) - log_total;
  });
}

}  // namespace regard

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

// Σ e^(xᵢ − shift). The powers are computed block by block, and kept in `out` if there is one.
template <bool keep, class T>
T total_of_powers(T* out, const T* x, std::int64_t count, T shift) {
  kernels::CascadeSum<T> sum;
  std::array<T, sum.block> buffer;
  for (std::int64_t begin = 0; begin < count; begin += sum.block) {
    const std::int64_t length = std::min(sum.block, count - begin);
    T* powers = keep ? out + begin : buffer.data();
    for (std::int64_t i = 0; i < length; ++i) powers[i] = kernels::exp(x[begin + i] - shift);
    sum.add(powers, length, 1);
  }
  return sum.total();
}

}  // namespace

Tensor softmax(const Tensor& x, int axis) {
  return along("softmax", x, axis, []<class T>(T* out, const T* line, std::int64_t count) {
    const T largest = kernels::fold_lanes(line, count, 1, kernels::Larger{});
    const T total = total_of_powers<true>(out, line, count, largest);
    for (std::int64_t i = 0; i < count; ++i) out[i] /= total;
  });
}

Tensor log_softmax(const Tensor& x, int axis) {
  return along("log_softmax", x, axis, []<class T>(T* out, const T* line, std::int64_t count) {
    const T largest = kernels::fold_lanes(line, count, 1, kernels::Larger{});
    const T log_total = kernels::log(total_of_powers<false>(out, line, count, largest));
    for (std::int64_t i = 0; i < count; ++i) out[i] = (line[i] - largest) - log_total;
  });
}

}  // namespace regard

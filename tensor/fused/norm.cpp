#include "tensor/fused/norm.h"

#include "tensor/loops/rows.h"
#include "tensor/loops/sum_row.h"
#include "tensor/ops/reduce.h"

#include <cmath>

namespace regard {
namespace {

using loops::Rows;
using loops::sum_row;

void require_norm(const char* operation, const Tensor& x, const Tensor& weight, const Tensor* bias = nullptr) {
  require_same_dtype(operation, x, weight);
  if (bias) require_same_dtype(operation, x, *bias);
  if (x.rank() == 0) fail<ShapeError>("{}: (): a single number has no row to normalise", operation);
  const Shape row{x.shape().back()};
  if (weight.shape() != row || (bias && bias->shape() != row))
    fail<ShapeError>("{}: {}: weight {}{} must have the shape {} of a row", operation, x.shape(), weight.shape(),
                     bias ? fmt::format(" and bias {}", bias->shape()) : "", row);
}

template <class T>
struct RowNumbers {
  std::int64_t length;
  T mean, scale, mean_h, mean_hx;
};

// A row of ∂x, and what the row adds to the other gradients. A function of its own, so that the compiler believes that
// nothing overlaps.
template <class T>
[[gnu::noinline]] void add_row(const RowNumbers<T>& row, const T* __restrict grad, const T* __restrict from,
                               const T* __restrict weights, T* __restrict to, T* __restrict weight_sum,
                               T* __restrict bias_sum) {
  const auto [length, mean, scale, mean_h, mean_hx] = row;
  for (std::int64_t i = 0; i < length; ++i) {
    const T normal = (from[i] - mean) * scale;
    to[i] = scale * (grad[i] * weights[i] - mean_h - normal * mean_hx);
    weight_sum[i] += grad[i] * normal;
    bias_sum[i] += grad[i];
  }
}

// The same for RMS norm, with ∂weight alone.
template <class T>
[[gnu::noinline]] void add_row(std::int64_t length, T scale, T share, const T* __restrict grad,
                               const T* __restrict from, const T* __restrict weights, T* __restrict to,
                               T* __restrict weight_sum) {
  for (std::int64_t i = 0; i < length; ++i) {
    to[i] = scale * (grad[i] * weights[i] - from[i] * share);
    weight_sum[i] += grad[i] * (from[i] * scale);
  }
}

}  // namespace

LayerNormResult layer_norm(const Tensor& input, const Tensor& weight, const Tensor& bias, double epsilon) {
  require_norm("layer_norm", input, weight, &bias);
  const Tensor x = contiguous(input), w = contiguous(weight), b = contiguous(bias);
  Shape per_row = x.shape();
  per_row[x.rank() - 1] = 1;
  return dispatch_float("layer_norm", x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    LayerNormResult made{empty(x.shape(), x.dtype()), empty(per_row, x.dtype()), empty(per_row, x.dtype())};
    const T *in = x.data<T>(), *weights = w.data<T>(), *biases = b.data<T>();
    T *out = made.y.writable<T>(), *means = made.mean.writable<T>(), *scales = made.scale.writable<T>();
    const Rows rows = loops::rows_of(x);
    const T count = static_cast<T>(rows.length);
    loops::for_each_row(rows, [&](std::int64_t row) {
      const T* from = in + row * rows.length;
      const T mean = sum_row<T>(rows.length, [=](auto at) { return at(from); }) / count;
      const T variance =
          sum_row<T>(rows.length, [=](auto at) { return (at(from) - mean) * (at(from) - mean); }) / count;
      const T scale = 1 / std::sqrt(variance + static_cast<T>(epsilon));
      T* to = out + row * rows.length;
      for (std::int64_t i = 0; i < rows.length; ++i) to[i] = (from[i] - mean) * scale * weights[i] + biases[i];
      means[row] = mean;
      scales[row] = scale;
    });
    return made;
  });
}

LayerNormGradients layer_norm_gradients(const Tensor& gradient, const Tensor& input, const Tensor& weight,
                                        const LayerNormResult& made) {
  const Tensor g = contiguous(gradient), x = contiguous(input), w = contiguous(weight);
  return dispatch_float("layer_norm", x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Rows rows = loops::rows_of(x);
    const std::int64_t length = rows.length;
    Tensor to_x = empty(x.shape(), x.dtype()), to_weight = empty({loops::blocks_of(rows), length}, x.dtype()),
           to_bias = empty({loops::blocks_of(rows), length}, x.dtype());
    const T *grads = g.data<T>(), *in = x.data<T>(), *weights = w.data<T>();
    const T *means = made.mean.data<T>(), *scales = made.scale.data<T>();
    T *out = to_x.writable<T>(), *weight_sums = to_weight.writable<T>(), *bias_sums = to_bias.writable<T>();
    const T count = static_cast<T>(length);

    loops::for_each_block(rows, [&](std::int64_t block, std::int64_t begin, std::int64_t end) {
      T *weight_sum = weight_sums + block * length, *bias_sum = bias_sums + block * length;
      std::fill_n(weight_sum, length, T{0});
      std::fill_n(bias_sum, length, T{0});
      for (std::int64_t row = begin; row < end; ++row) {
        const T *grad = grads + row * length, *from = in + row * length;
        T* to = out + row * length;
        const T mean = means[row], scale = scales[row];
        const T mean_h = sum_row<T>(length, [=](auto at) { return at(grad) * at(weights); }) / count;
        const T mean_hx =
            sum_row<T>(length, [=](auto at) { return at(grad) * at(weights) * ((at(from) - mean) * scale); }) / count;
        add_row<T>({length, mean, scale, mean_h, mean_hx}, grad, from, weights, to, weight_sum, bias_sum);
      }
    });
    return LayerNormGradients{to_x, sum(to_weight, 0), sum(to_bias, 0)};
  });
}

RmsNormResult rms_norm(const Tensor& input, const Tensor& weight, double epsilon) {
  require_norm("rms_norm", input, weight);
  const Tensor x = contiguous(input), w = contiguous(weight);
  Shape per_row = x.shape();
  per_row[x.rank() - 1] = 1;
  return dispatch_float("rms_norm", x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    RmsNormResult made{empty(x.shape(), x.dtype()), empty(per_row, x.dtype())};
    const T *in = x.data<T>(), *weights = w.data<T>();
    T *out = made.y.writable<T>(), *scales = made.scale.writable<T>();
    const Rows rows = loops::rows_of(x);
    loops::for_each_row(rows, [&](std::int64_t row) {
      const T* from = in + row * rows.length;
      const T squares = sum_row<T>(rows.length, [=](auto at) { return at(from) * at(from); });
      const T scale = 1 / std::sqrt(squares / static_cast<T>(rows.length) + static_cast<T>(epsilon));
      T* to = out + row * rows.length;
      for (std::int64_t i = 0; i < rows.length; ++i) to[i] = from[i] * scale * weights[i];
      scales[row] = scale;
    });
    return made;
  });
}

RmsNormGradients rms_norm_gradients(const Tensor& gradient, const Tensor& input, const Tensor& weight,
                                    const RmsNormResult& made) {
  const Tensor g = contiguous(gradient), x = contiguous(input), w = contiguous(weight);
  return dispatch_float("rms_norm", x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Rows rows = loops::rows_of(x);
    const std::int64_t length = rows.length;
    Tensor to_x = empty(x.shape(), x.dtype()), to_weight = empty({loops::blocks_of(rows), length}, x.dtype());
    const T *grads = g.data<T>(), *in = x.data<T>(), *weights = w.data<T>(), *scales = made.scale.data<T>();
    T *out = to_x.writable<T>(), *weight_sums = to_weight.writable<T>();
    loops::for_each_block(rows, [&](std::int64_t block, std::int64_t begin, std::int64_t end) {
      T* weight_sum = weight_sums + block * length;
      std::fill_n(weight_sum, length, T{0});
      for (std::int64_t row = begin; row < end; ++row) {
        const T *grad = grads + row * length, *from = in + row * length;
        T* to = out + row * length;
        const T scale = scales[row];
        const T sum_hx = sum_row<T>(length, [=](auto at) { return at(grad) * at(weights) * at(from); });
        const T share = sum_hx * scale * scale / static_cast<T>(length);
        add_row(length, scale, share, grad, from, weights, to, weight_sum);
      }
    });
    return RmsNormGradients{to_x, sum(to_weight, 0)};
  });
}

}  // namespace regard

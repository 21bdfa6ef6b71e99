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

// Layer norm; or RMS norm, in which nothing is centered and which has no bias.
template <bool is_centered>
NormResult norm(const char* operation, const Tensor& input, const Tensor& weight, const Tensor& bias, double epsilon) {
  require_norm(operation, input, weight, is_centered ? &bias : nullptr);
  const Tensor x = contiguous(input), w = contiguous(weight), b = is_centered ? contiguous(bias) : Tensor();
  const Shape per_row = x.shape().with(-1, 1);
  return dispatch_float(operation, x.dtype(), [&]<class T>(T) {
    NormResult made{empty(x.shape(), x.dtype()), empty(per_row, x.dtype()), {}};
    if (is_centered) made.mean = empty(per_row, x.dtype());
    const T *in = x.data<T>(), *weights = w.data<T>(), *biases = is_centered ? b.data<T>() : nullptr;
    T *out = made.y.template writable<T>(), *scales = made.scale.template writable<T>();
    T* means = is_centered ? made.mean.template writable<T>() : nullptr;
    const Rows rows = loops::rows_of(x);
    const T count = static_cast<T>(rows.length);
    loops::for_each_row(rows, [&](std::int64_t row) {
      const T* from = in + row * rows.length;
      const T mean = is_centered ? sum_row<T>(rows.length, [=](auto at) { return at(from); }) / count : 0;
      const T squares = sum_row<T>(rows.length, [=](auto at) { return (at(from) - mean) * (at(from) - mean); });
      const T scale = 1 / std::sqrt(squares / count + static_cast<T>(epsilon));
      T* to = out + row * rows.length;
      for (std::int64_t i = 0; i < rows.length; ++i) {
        const T value = (from[i] - mean) * scale * weights[i];
        to[i] = is_centered ? value + biases[i] : value;
      }
      if (is_centered) means[row] = mean;
      scales[row] = scale;
    });
    return made;
  });
}

template <bool is_centered>
NormGradients norm_gradients(const Tensor& gradient, const Tensor& input, const Tensor& weight,
                             const NormResult& made) {
  const Tensor g = contiguous(gradient), x = contiguous(input), w = contiguous(weight);
  return dispatch_float("norm", x.dtype(), [&]<class T>(T) {
    const Rows rows = loops::rows_of(x);
    const std::int64_t length = rows.length;
    const T count = static_cast<T>(length);
    const auto room = [&] { return empty({loops::blocks_of(rows), length}, x.dtype()); };
    Tensor to_x = empty(x.shape(), x.dtype()), to_weight = room(), to_bias = is_centered ? room() : Tensor();
    const T *grads = g.data<T>(), *in = x.data<T>(), *weights = w.data<T>();
    const T *scales = made.scale.data<T>(), *means = is_centered ? made.mean.data<T>() : nullptr;
    T *out = to_x.writable<T>(), *weight_sums = to_weight.template writable<T>();
    T* bias_sums = is_centered ? to_bias.template writable<T>() : nullptr;

    loops::for_each_block(rows, [&](std::int64_t block, std::int64_t begin, std::int64_t end) {
      T *weight_sum = weight_sums + block * length, *bias_sum = is_centered ? bias_sums + block * length : nullptr;
      std::fill_n(weight_sum, length, T{0});
      if (is_centered) std::fill_n(bias_sum, length, T{0});
      for (std::int64_t row = begin; row < end; ++row) {
        const T *grad = grads + row * length, *from = in + row * length, scale = scales[row];
        T* to = out + row * length;
        if constexpr (is_centered) {
          const T mean = means[row],
                  mean_h = sum_row<T>(length, [=](auto at) { return at(grad) * at(weights); }) / count;
          const T mean_hx =
              sum_row<T>(length, [=](auto at) { return at(grad) * at(weights) * ((at(from) - mean) * scale); }) / count;
          add_row<T>({length, mean, scale, mean_h, mean_hx}, grad, from, weights, to, weight_sum, bias_sum);
        } else {
          const T sum_hx = sum_row<T>(length, [=](auto at) { return at(grad) * at(weights) * at(from); });
          add_row(length, scale, sum_hx * scale * scale / count, grad, from, weights, to, weight_sum);
        }
      }
    });
    return NormGradients{to_x, sum(to_weight, 0), is_centered ? sum(to_bias, 0) : Tensor()};
  });
}

}  // namespace

NormResult layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon) {
  return norm<true>("layer_norm", x, weight, bias, epsilon);
}
NormResult rms_norm(const Tensor& x, const Tensor& weight, double epsilon) {
  return norm<false>("rms_norm", x, weight, {}, epsilon);
}
NormGradients layer_norm_gradients(const Tensor& g, const Tensor& x, const Tensor& weight, const NormResult& made) {
  return norm_gradients<true>(g, x, weight, made);
}
NormGradients rms_norm_gradients(const Tensor& g, const Tensor& x, const Tensor& weight, const NormResult& made) {
  return norm_gradients<false>(g, x, weight, made);
}

}  // namespace regard

#include "tensor/fused/adam.h"

#include "tensor/create.h"
#include "tensor/loops/map.h"

#include <cmath>

namespace regard {
namespace {

// The elements of x, which is now the only one to hold them, packed.
template <class T>
T* owned(Tensor& x) {
  if (!x.is_contiguous() || !x.owns_buffer()) x = loops::map<T, T>(x, [](T value) { return value; });
  return x.writable<T>();
}

}  // namespace

void adam_step(Tensor& w, Tensor& m, Tensor& v, const Tensor& gradient, std::int64_t t, const AdamStep& step) {
  if (t < 1) fail<ValueError>("adam_step: steps are counted from 1, got {}", t);
  for (const Tensor* other : {&std::as_const(m), &std::as_const(v), &gradient}) {
    require_same_dtype("adam_step", w, *other);
    if (other->shape() != w.shape())
      fail<ShapeError>("adam_step: {} and {}: values, averages and gradient must have one shape", w.shape(),
                       other->shape());
  }
  const Tensor g = contiguous(gradient);
  dispatch_float("adam_step", w.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const double correction1 = 1 - std::pow(step.beta1, static_cast<double>(t));
    const double correction2 = 1 - std::pow(step.beta2, static_cast<double>(t));
    const T beta1 = static_cast<T>(step.beta1), beta2 = static_cast<T>(step.beta2);
    const T rest1 = static_cast<T>(1 - step.beta1), rest2 = static_cast<T>(1 - step.beta2);
    const T rate = static_cast<T>(step.learning_rate / correction1);
    const T unbias = static_cast<T>(1 / std::sqrt(correction2)), epsilon = static_cast<T>(step.epsilon);
    const T added = static_cast<T>(step.decoupled_decay ? 0 : step.weight_decay);
    const T kept = static_cast<T>(step.decoupled_decay ? 1 - step.learning_rate * step.weight_decay : 1);
    T *weights = owned<T>(w), *means = owned<T>(m), *squares = owned<T>(v);
    const T* gradients = g.data<T>();
    // A square root and a fraction for each element: a smaller share is worth a thread.
    parallel_for(w.numel(), loops::grain / 8, [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const T slope = gradients[i] + added * weights[i];
        means[i] = beta1 * means[i] + rest1 * slope;
        squares[i] = beta2 * squares[i] + rest2 * slope * slope;
        weights[i] = kept * weights[i] - rate * means[i] / (std::sqrt(squares[i]) * unbias + epsilon);
      }
    });
  });
}

}  // namespace regard

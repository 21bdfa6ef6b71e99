#include "nn/optim/adam.h"

#include "tensor/create.h"
#include "tensor/loops/map.h"

#include <cmath>

namespace regard::optim {
namespace {

void require_alike(const Tensor& w, const Tensor& m, const Tensor& v, const Tensor& gradient, std::int64_t t) {
  if (t < 1) fail<ValueError>("adam_step: steps are counted from 1, got {}", t);
  for (const Tensor* other : {&m, &v, &gradient}) {
    require_same_dtype("adam_step", w, *other);
    if (other->shape() != w.shape())
      fail<ShapeError>("adam_step: {} and {}: values, averages and gradient must have one shape", w.shape(),
                       other->shape());
  }
}

// The elements of x, which is now the only one to hold them, packed.
template <class T>
T* owned(Tensor& x) {
  if (!x.is_contiguous() || !x.owns_buffer()) x = loops::map<T, T>(x, [](T value) { return value; });
  return x.writable<T>();
}

}  // namespace

void adam_step(Tensor& weights, Tensor& means, Tensor& squares, const Tensor& gradient, std::int64_t t,
               const AdamOptions& o, WeightDecay decay) {
  require_alike(weights, means, squares, gradient, t);
  const Tensor dense = contiguous(gradient);
  const bool is_decoupled = decay == WeightDecay::decoupled;
  const double lambda = o.weight_decay.value_or(is_decoupled ? 0.01 : 0);
  dispatch_float("adam_step", weights.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T beta1 = static_cast<T>(o.beta1), beta2 = static_cast<T>(o.beta2), epsilon = static_cast<T>(o.epsilon);
    const T rest1 = static_cast<T>(1 - o.beta1), rest2 = static_cast<T>(1 - o.beta2);
    // book: adam_rates
    const T of_mean = static_cast<T>(o.learning_rate / (1 - std::pow(o.beta1, static_cast<double>(t))));  // α·m̂/m
    const T of_root = static_cast<T>(1 / std::sqrt(1 - std::pow(o.beta2, static_cast<double>(t))));       // √v̂/√v
    // book: /adam_rates
    const T l2 = static_cast<T>(is_decoupled ? 0 : lambda);                          // λ of Adam
    const T kept = static_cast<T>(is_decoupled ? 1 - o.learning_rate * lambda : 1);  // 1 − α·λ of AdamW
    T *w = owned<T>(weights), *m = owned<T>(means), *v = owned<T>(squares);
    const T* g = dense.data<T>();
    // With a square root and a fraction, an element is eight times the work of a sum.
    parallel_for(weights.numel(), items_of_a_task(8), [=](std::int64_t begin, std::int64_t end) {
      // book: adam
      for (std::int64_t i = begin; i < end; ++i) {
        const T slope = g[i] + l2 * w[i];
        m[i] = beta1 * m[i] + rest1 * slope;
        v[i] = beta2 * v[i] + rest2 * slope * slope;
        const T alpha_m_hat = of_mean * m[i], root_v_hat = of_root * std::sqrt(v[i]);
        w[i] = kept * w[i] - alpha_m_hat / (root_v_hat + epsilon);
      }
      // book: /adam
    });
  });
}

Adam::Adam(const char* name, const ParameterGroups& groups, const AdamOptions& o, WeightDecay decay)
    : Optimizer(name, groups, o.learning_rate, o.weight_decay.value_or(decay == WeightDecay::decoupled ? 0.01 : 0)),
      options_(o),
      decay_(decay),
      mean_(zeros_like_parameters()),
      square_(zeros_like_parameters()),
      times_(count(), 0) {
  require_in("beta1", o.beta1, 0, 1);
  require_in("beta2", o.beta2, 0, 1);
  require_at_least_0("epsilon", o.epsilon);
}

void Adam::update(std::size_t i, Tensor& w, const Tensor& g, const Pace& pace) {
  AdamOptions now = options_;
  now.learning_rate = pace.learning_rate;
  now.weight_decay = pace.weight_decay;
  adam_step(w, mean_[i], square_[i], g, ++times_[i], now, decay_);
}

}  // namespace regard::optim

#include "nn/optim/adam.h"

#include "tensor/create.h"
#include "tensor/loops/map.h"

#include <cmath>

namespace regard::optim {

// book: adam_definition
void adam_definition(double& w, double& m, double& v, double g, double t, const AdamOptions& o) {
  m = o.beta1 * m + (1 - o.beta1) * g;
  v = o.beta2 * v + (1 - o.beta2) * g * g;
  const double m_hat = m / (1 - std::pow(o.beta1, t));
  const double v_hat = v / (1 - std::pow(o.beta2, t));
  w -= o.learning_rate * m_hat / (std::sqrt(v_hat) + o.epsilon);
}
// book: /adam_definition

namespace {

double lambda_of(const AdamOptions& o, WeightDecay decay) {
  return o.weight_decay.value_or(decay == WeightDecay::decoupled ? 0.01 : 0);
}

// The same for a whole tensor, and with decay. All numbers share what the hats divide by, so it is worked out once.
template <class T>
void step(T* w, T* m, T* v, const T* slopes, std::int64_t count, double t, const AdamOptions& o, WeightDecay decay) {
  const auto in_t = [](double x) { return static_cast<T>(x); };
  const bool is_decoupled = decay == WeightDecay::decoupled;
  const T lambda = in_t(is_decoupled ? 0 : lambda_of(o, decay));                      // of Adam
  const T kept = in_t(is_decoupled ? 1 - o.learning_rate * lambda_of(o, decay) : 1);  // 1 − η·λ of AdamW
  const T one_minus_beta1 = in_t(1 - o.beta1), one_minus_beta2 = in_t(1 - o.beta2);
  const T beta1 = in_t(o.beta1), beta2 = in_t(o.beta2), epsilon = in_t(o.epsilon);
  // book: adam
  const T eta_hat = in_t(o.learning_rate / (1 - std::pow(o.beta1, t)));  // η·m̂ = eta_hat·m
  const T root_hat = in_t(1 / std::sqrt(1 - std::pow(o.beta2, t)));      // √v̂ = root_hat·√v
  // With a square root and a fraction, an element is eight times the work of a sum.
  parallel_for(count, items_of_a_task(8), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const T g = slopes[i] + lambda * w[i];
      m[i] = beta1 * m[i] + one_minus_beta1 * g;
      v[i] = beta2 * v[i] + one_minus_beta2 * g * g;
      w[i] = kept * w[i] - eta_hat * m[i] / (root_hat * std::sqrt(v[i]) + epsilon);
    }
  });
  // book: /adam
}

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
               const AdamOptions& options, WeightDecay decay) {
  require_alike(weights, means, squares, gradient, t);
  const Tensor slopes = contiguous(gradient);
  dispatch_float("adam_step", weights.dtype(), [&](auto zero) {
    using T = decltype(zero);
    step(owned<T>(weights), owned<T>(means), owned<T>(squares), slopes.data<T>(), weights.numel(),
         static_cast<double>(t), options, decay);
  });
}

Adam::Adam(const char* name, const ParameterGroups& groups, const AdamOptions& o, WeightDecay decay)
    : Optimizer(name, groups, o.learning_rate, lambda_of(o, decay)),
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
  AdamOptions options = options_;
  options.learning_rate = pace.learning_rate;
  options.weight_decay = pace.weight_decay;
  adam_step(w, mean_[i], square_[i], g, ++times_[i], options, decay_);
}

}  // namespace regard::optim

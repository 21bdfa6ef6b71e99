#include "nn/optim/adam.h"

#include "tensor/create.h"
#include "tensor/loops/map.h"

#include <cmath>

namespace regard::optim {
namespace {

double lambda_of(const AdamOptions& o, WeightDecay decay) {
  return o.weight_decay.value_or(decay == WeightDecay::decoupled ? 0.01 : 0);
}

// What is the same for all numbers of a tensor. m̂ is never formed: η·m̂ = eta_hat·m, and √v̂ = root_hat·√v.
template <class T>
struct Factors {
  T beta1, one_minus_beta1, beta2, one_minus_beta2, epsilon;
  T eta_hat, root_hat;  // η/(1 − β₁ᵗ), 1/√(1 − β₂ᵗ)
  T lambda, kept;       // Adam: λ and 1. AdamW: 0 and 1 − η·λ
};

// book: adam
// One step of one number.
template <class T>
void step(T& w, T& m, T& v, T g, const Factors<T>& f) {
  g += f.lambda * w;  // Adam's decay
  m = f.beta1 * m + f.one_minus_beta1 * g;
  v = f.beta2 * v + f.one_minus_beta2 * g * g;
  w = f.kept * w - f.eta_hat * m / (f.root_hat * std::sqrt(v) + f.epsilon);  // AdamW's decay, and η·m̂/(√v̂ + ε)
}
// book: /adam

template <class T>
Factors<T> factors_of(const AdamOptions& o, WeightDecay decay, double t) {
  const auto number = [](double x) { return static_cast<T>(x); };
  const bool decoupled = decay == WeightDecay::decoupled;
  return {.beta1 = number(o.beta1),
          .one_minus_beta1 = number(1 - o.beta1),
          .beta2 = number(o.beta2),
          .one_minus_beta2 = number(1 - o.beta2),
          .epsilon = number(o.epsilon),
          .eta_hat = number(o.learning_rate / (1 - std::pow(o.beta1, t))),
          .root_hat = number(1 / std::sqrt(1 - std::pow(o.beta2, t))),
          .lambda = number(decoupled ? 0 : lambda_of(o, decay)),
          .kept = number(decoupled ? 1 - o.learning_rate * lambda_of(o, decay) : 1)};
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

// The elements of x, packed; x is copied first if they are not, or if somebody else holds them.
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
  dispatch_float("adam_step", weights.dtype(), [&]<class T>(T) {
    T *const w = owned<T>(weights), *const m = owned<T>(means), *const v = owned<T>(squares);
    const T* const g = slopes.data<T>();
    const Factors<T> factors = factors_of<T>(options, decay, static_cast<double>(t));
    // With a square root and a fraction, an element is eight times the work of a sum.
    parallel_for(weights.numel(), items_of_a_task(8), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) step(w[i], m[i], v[i], g[i], factors);
    });
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

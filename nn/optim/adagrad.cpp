#include "nn/optim/adagrad.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"

namespace regard::optim {

Adagrad::Adagrad(const ParameterGroups& groups, const AdagradOptions& options)
    : Optimizer("Adagrad", groups, options.learning_rate, options.weight_decay),
      options_(options),
      square_(zeros_like_parameters()) {
  require_at_least_0("epsilon", options.epsilon);
}

void Adagrad::update(std::size_t i, Tensor& w, const Tensor& g, const Pace& pace) {
  const Tensor slope = pace.weight_decay > 0 ? g + pace.weight_decay * w : g;
  square_[i] = square_[i] + square(slope);
  w = w - pace.learning_rate * slope / (sqrt(square_[i]) + options_.epsilon);
}

}  // namespace regard::optim

#include "nn/optim/adagrad.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"

namespace regard::optim {

Adagrad::Adagrad(std::vector<Variable> parameters, const AdagradOptions& options)
    : Optimizer("Adagrad", std::move(parameters), options.learning_rate),
      options_(options),
      square_(zeros_like_parameters()) {
  require_at_least_0("epsilon", options.epsilon);
  require_at_least_0("weight_decay", options.weight_decay);
}

void Adagrad::update(std::size_t i, Tensor& w, const Tensor& g) {
  const Tensor slope = options_.weight_decay > 0 ? g + options_.weight_decay * w : g;
  square_[i] = square_[i] + square(slope);
  w = w - learning_rate() * slope / (sqrt(square_[i]) + options_.epsilon);
}

}  // namespace regard::optim

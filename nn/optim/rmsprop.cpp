#include "nn/optim/rmsprop.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"

namespace regard::optim {

RMSprop::RMSprop(std::vector<Variable> parameters, const RMSpropOptions& options)
    : Optimizer("RMSprop", std::move(parameters), options.learning_rate),
      options_(options),
      square_(zeros_like_parameters()) {
  require_in("smoothing", options.smoothing, 0, 1);
  require_at_least_0("epsilon", options.epsilon);
  require_in("momentum", options.momentum, 0, 1);
  require_at_least_0("weight_decay", options.weight_decay);
  if (options.momentum > 0) velocity_ = zeros_like_parameters();
}

void RMSprop::update(std::size_t i, Tensor& w, const Tensor& g) {
  const Tensor slope = options_.weight_decay > 0 ? g + options_.weight_decay * w : g;
  square_[i] = options_.smoothing * square_[i] + (1 - options_.smoothing) * square(slope);
  Tensor way = slope / (sqrt(square_[i]) + options_.epsilon);
  if (options_.momentum > 0) way = velocity_[i] = options_.momentum * velocity_[i] + way;
  w = w - learning_rate() * way;
}

}  // namespace regard::optim

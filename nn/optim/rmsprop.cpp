#include "nn/optim/rmsprop.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"

namespace regard::optim {

RMSprop::RMSprop(const ParameterGroups& groups, const RMSpropOptions& options)
    : Optimizer("RMSprop", groups, options.learning_rate, options.weight_decay),
      options_(options),
      square_(zeros_like_parameters()) {
  require_in("smoothing", options.smoothing, 0, 1);
  require_at_least_0("epsilon", options.epsilon);
  require_in("momentum", options.momentum, 0, 1);
  if (options.momentum > 0) velocity_ = zeros_like_parameters();
}

void RMSprop::update(std::size_t i, Tensor& w, const Tensor& g, const Pace& pace) {
  const Tensor slope = pace.weight_decay > 0 ? g + pace.weight_decay * w : g;
  square_[i] = options_.smoothing * square_[i] + (1 - options_.smoothing) * square(slope);
  Tensor way = slope / (sqrt(square_[i]) + options_.epsilon);
  if (options_.momentum > 0) way = velocity_[i] = options_.momentum * velocity_[i] + way;
  w = w - pace.learning_rate * way;
}

}  // namespace regard::optim

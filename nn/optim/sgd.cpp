#include "nn/optim/sgd.h"

#include "tensor/ops/arithmetic.h"

namespace regard::optim {

SGD::SGD(const ParameterGroups& groups, const SGDOptions& options)
    : Optimizer("SGD", groups, options.learning_rate, options.weight_decay), options_(options) {
  require_in("momentum", options.momentum, 0, 1);
  if (options.momentum > 0) velocity_ = zeros_like_parameters();
}

void SGD::update(std::size_t i, Tensor& w, const Tensor& g, const Pace& pace) {
  const Tensor slope = pace.weight_decay > 0 ? g + pace.weight_decay * w : g;
  Tensor way = slope;
  if (options_.momentum > 0) way = velocity_[i] = options_.momentum * velocity_[i] + slope;
  w = w - pace.learning_rate * way;
}

}  // namespace regard::optim

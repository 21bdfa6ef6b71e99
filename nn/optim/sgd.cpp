#include "nn/optim/sgd.h"

#include "tensor/ops/arithmetic.h"

namespace regard::optim {

SGD::SGD(std::vector<Variable> parameters, const SGDOptions& options)
    : Optimizer("SGD", std::move(parameters), options.learning_rate), options_(options) {
  require_in("momentum", options.momentum, 0, 1);
  require_at_least_0("weight_decay", options.weight_decay);
  if (options.nesterov && options.momentum == 0) fail<ValueError>("SGD: nesterov needs a momentum above 0");
  if (options.momentum > 0) velocity_ = zeros_like_parameters();
}

void SGD::update(std::size_t i, Tensor& w, const Tensor& g) {
  const Tensor slope = options_.weight_decay > 0 ? g + options_.weight_decay * w : g;
  Tensor way = slope;
  if (options_.momentum > 0) {
    velocity_[i] = options_.momentum * velocity_[i] + slope;
    way = options_.nesterov ? slope + options_.momentum * velocity_[i] : velocity_[i];
  }
  w = w - learning_rate() * way;
}

}  // namespace regard::optim

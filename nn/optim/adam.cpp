#include "nn/optim/adam.h"

namespace regard::optim {

Adam::Adam(const char* name, std::vector<Variable> parameters, const AdamOptions& options)
    : Optimizer(name, std::move(parameters), options.learning_rate),
      options_(options),
      mean_(zeros_like_parameters()),
      square_(zeros_like_parameters()),
      times_(count(), 0) {
  require_in("beta1", options.beta1, 0, 1);
  require_in("beta2", options.beta2, 0, 1);
  require_at_least_0("epsilon", options.epsilon);
  require_at_least_0("weight_decay", options.weight_decay);
}

Adam::Adam(std::vector<Variable> parameters, const AdamOptions& options)
    : Adam("Adam", std::move(parameters), options) {}

void Adam::update(std::size_t i, Tensor& w, const Tensor& g) {
  options_.learning_rate = learning_rate();
  adam_step(w, mean_[i], square_[i], g, ++times_[i], options_);
}

AdamW::AdamW(std::vector<Variable> parameters, const AdamWOptions& o)
    : Adam("AdamW", std::move(parameters),
           {.learning_rate = o.learning_rate,
            .beta1 = o.beta1,
            .beta2 = o.beta2,
            .epsilon = o.epsilon,
            .weight_decay = o.weight_decay,
            .decoupled_decay = true}) {}

}  // namespace regard::optim

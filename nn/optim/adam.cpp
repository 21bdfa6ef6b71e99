#include "nn/optim/adam.h"

namespace regard::optim {

Adam::Adam(const char* name, std::vector<Variable> parameters, const AdamStep& step)
    : Optimizer(name, std::move(parameters), step.learning_rate),
      step_(step),
      mean_(zeros_like_parameters()),
      square_(zeros_like_parameters()),
      times_(count(), 0) {
  require_in("beta1", step.beta1, 0, 1);
  require_in("beta2", step.beta2, 0, 1);
  require_at_least_0("epsilon", step.epsilon);
  require_at_least_0("weight_decay", step.weight_decay);
}

Adam::Adam(std::vector<Variable> parameters, const AdamOptions& o)
    : Adam("Adam", std::move(parameters),
           {.learning_rate = o.learning_rate,
            .beta1 = o.beta1,
            .beta2 = o.beta2,
            .epsilon = o.epsilon,
            .weight_decay = o.weight_decay}) {}

void Adam::update(std::size_t i, Tensor& w, const Tensor& g) {
  step_.learning_rate = learning_rate();
  adam_step(w, mean_[i], square_[i], g, ++times_[i], step_);
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

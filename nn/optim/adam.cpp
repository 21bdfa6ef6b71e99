#include "nn/optim/adam.h"

namespace regard::optim {

Adam::Adam(const char* name, const ParameterGroups& groups, const AdamStep& step)
    : Optimizer(name, groups, step.learning_rate, step.weight_decay),
      step_(step),
      mean_(zeros_like_parameters()),
      square_(zeros_like_parameters()),
      times_(count(), 0) {
  require_in("beta1", step.beta1, 0, 1);
  require_in("beta2", step.beta2, 0, 1);
  require_at_least_0("epsilon", step.epsilon);
}

Adam::Adam(const ParameterGroups& groups, const AdamOptions& o)
    : Adam("Adam", groups,
           {.learning_rate = o.learning_rate,
            .beta1 = o.beta1,
            .beta2 = o.beta2,
            .epsilon = o.epsilon,
            .weight_decay = o.weight_decay}) {}

void Adam::update(std::size_t i, Tensor& w, const Tensor& g, const Pace& pace) {
  step_.learning_rate = pace.learning_rate;
  step_.weight_decay = pace.weight_decay;
  adam_step(w, mean_[i], square_[i], g, ++times_[i], step_);
}

AdamW::AdamW(const ParameterGroups& groups, const AdamWOptions& o)
    : Adam("AdamW", groups,
           {.learning_rate = o.learning_rate,
            .beta1 = o.beta1,
            .beta2 = o.beta2,
            .epsilon = o.epsilon,
            .weight_decay = o.weight_decay,
            .decoupled_decay = true}) {}

}  // namespace regard::optim

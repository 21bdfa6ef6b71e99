#include "nn/optim/adam.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::decay_in_gradient {

// museum: wrong
optim::Adam optimizer_wrong(const std::vector<Variable>& weights) {
  return optim::Adam(weights, {.learning_rate = 0.1, .weight_decay = 0.01});
}
// museum: /wrong

// museum: right
optim::AdamW optimizer_of(const std::vector<Variable>& weights) {
  return optim::AdamW(weights, {.learning_rate = 0.1, .weight_decay = 0.01});
}
// museum: /right

// A step of weights that the loss does not need: their gradient is 0, and they only decay.
void decay(optim::Optimizer& optimizer, Variable& weights) {
  set_gradient(weights, zeros_like(weights.value()));
  optimizer.step();
}

std::vector<double> learn(bool wrong) {
  Variable w = parameter(ones({1}, DType::f64));
  optim::Adam mixed = optimizer_wrong({w});
  optim::AdamW apart = optimizer_of({w});
  return losses(40, [&] {
    const double before = w.value().item();
    wrong ? decay(mixed, w) : decay(apart, w);
    return before;
  });
}

const Hung on_the_wall({
    .name = "decay_in_gradient",
    .title = "Weight decay is mixed with Adam's gradients",
    .looks =
        "The option is called the same, and a weight decay of 0.01 or of 0.0001 seems to do the same. Weights with "
        "small gradients are driven to 0 at full speed; those with large gradients hardly decay.",
    .common = "It was the only way until Loshchilov and Hutter showed the difference in 2017, and many libraries still "
              "have both. That Adam's documentation let readers think otherwise was reported to PyTorch (issues 41477 "
              "and 42843).",
    .lesson = "Adam divides by the size of the gradient. What is added to the gradient is divided, too. With λ for the "
              "weight decay: where nothing but λ·w is left, λ·w/√((λ·w)²) is 1 or −1, whatever λ is. AdamW takes η·λ·w "
              "from the weight beside Adam's step, with η for the learning rate. So a weight whose gradient is 0 shows "
              "it: it must lose η·λ of itself. (The gradient must be there and be 0; a parameter that has none is left "
              "as it is.)",
    .look =
        [](bool wrong) {
          const Tensor before = f64({1, 10, -100});
          Variable w = parameter(before);
          optim::Adam mixed = optimizer_wrong({w});
          optim::AdamW apart = optimizer_of({w});
          wrong ? decay(mixed, w) : decay(apart, w);
          return by_law("a weight whose gradient is 0 loses η·λ of itself", w.value(), before * (1 - 0.1 * 0.01));
        },
    .learn = learn,
    .curve = "weight that the loss does not need",
});

}  // namespace regard::museum::decay_in_gradient

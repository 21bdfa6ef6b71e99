#include "nn/layers/linear.h"
#include "nn/losses.h"
#include "nn/optim/sgd.h"
#include "nn/tools/watch/warnings.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::optimizer_before_clone {

struct Training {
  std::vector<double> losses;
  nn::WatchedStep first;  // what was seen at the first step
};

Training train(nn::Linear& model, optim::Optimizer& optimizer) {
  const Tensor x = noise({16, 3}, 1), goal = noise({16, 2}, 2);
  nn::Watch watch(model);
  const std::vector<double> list = losses(40, [&] {
    watch.before_forward();
    const Variable loss = nn::mse_loss(model(x), goal);
    optimizer.zero_grad();
    loss.backward();
    watch.before_step();
    optimizer.step();
    watch.after_step();
    return loss.item();
  });
  return {list, watch.steps()[0]};
}

// museum: wrong
Training fine_tune_wrong(nn::Linear& trained_before) {
  optim::SGD optimizer(trained_before, {.learning_rate = 0.1});
  nn::Linear model = nn::clone(trained_before);
  return train(model, optimizer);
}
// museum: /wrong

// museum: right
Training fine_tune(nn::Linear& trained_before) {
  nn::Linear model = nn::clone(trained_before);
  optim::SGD optimizer(model, {.learning_rate = 0.1});
  return train(model, optimizer);
}
// museum: /right

Training training(bool wrong) {
  Generator generator(3);
  nn::Linear trained_before({.in = 3, .out = 2, .dtype = DType::f64}, generator);
  return (wrong ? fine_tune_wrong : fine_tune)(trained_before);
}

const Hung on_the_wall({
    .name = "optimizer_before_clone",
    .title = "The optimizer holds the parameters of another model",
    .looks = "There is no error, gradients flow, and the loss stays exactly where it is.",
    .common = "It happens wherever parameters are replaced after the optimizer was made: by a clone, by moving a model "
              "to another device, by pruning (microsoft/nni#4521). PyTorch users asked for a warning (issue 14467); "
              "R's torch warns in its documentation (issue 683).",
    .lesson =
        "An optimizer holds Variables, not a model. `nn::Watch` looks at the model from outside: there is a gradient, "
        "and the step changes no parameter of the model. First the model, in its last form; then its optimizer. "
        "(`nn::convert` keeps the same Variables; `nn::clone` is there to make others.)",
    .look =
        [](bool wrong) {
          const nn::WatchedStep first = training(wrong).first;
          double update = 0;
          for (const nn::WatchedParameter& one : first.parameters) update += one.update;
          return Finding{update == 0, "nn::Watch", nn::line_of(first)};
        },
    .learn = [](bool wrong) { return training(wrong).losses; },
});

}  // namespace regard::museum::optimizer_before_clone

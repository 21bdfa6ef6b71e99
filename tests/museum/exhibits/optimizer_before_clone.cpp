#include "nn/layers/linear.h"
#include "nn/losses.h"
#include "nn/optim/sgd.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum {
namespace {

std::vector<double> train(const nn::Linear& model, optim::Optimizer& optimizer) {
  const Tensor x = noise({16, 3}, 1), goal = noise({16, 2}, 2);
  return losses(40, [&] {
    const Variable loss = nn::mse_loss(model(x), goal);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    return loss.item();
  });
}

// museum: wrong
std::vector<double> fine_tune_wrong(nn::Linear& trained_before) {
  optim::SGD optimizer(trained_before, {.learning_rate = 0.1});
  const nn::Linear model = nn::clone(trained_before);
  return train(model, optimizer);
}
// museum: /wrong

// museum: right
std::vector<double> fine_tune(nn::Linear& trained_before) {
  nn::Linear model = nn::clone(trained_before);
  optim::SGD optimizer(model, {.learning_rate = 0.1});
  return train(model, optimizer);
}
// museum: /right

std::vector<double> learn(bool wrong) {
  Generator generator(3);
  nn::Linear trained_before({.in = 3, .out = 2, .dtype = DType::f64}, generator);
  return (wrong ? fine_tune_wrong : fine_tune)(trained_before);
}

const Hung on_the_wall({
    .name = "optimizer_before_clone",
    .title = "The optimizer holds the parameters of another model",
    .looks = "There is no error, gradients flow, and the loss stays exactly where it is.",
    .common =
        "It happens wherever parameters are replaced after the optimizer was made: by a clone, by moving a model to "
        "another device, by pruning (nni, issue 4521). PyTorch users asked for a warning (issue 14467); R's torch "
        "warns in its documentation (issue 683).",
    .lesson = "An optimizer holds Variables, not a model. So after one step ask whether the loss of the same batch has "
              "changed at all. First the model, in its last form; then its optimizer. (`nn::convert` keeps the same "
              "Variables; `nn::clone` is there to make others.)",
    .look =
        [](bool wrong) {
          const std::vector<double> losses = learn(wrong);
          return by_law(
              "a step changes the loss of its batch", losses[1] != losses[0],
              fmt::format("before the first step the loss is {:.4f}, and after it {:.4f}", losses[0], losses[1]));
        },
    .learn = learn,
});

}  // namespace
}  // namespace regard::museum

#include "autograd/all.h"
#include "nn/losses.h"
#include "nn/optim/sgd.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::gradients_not_cleared {

// museum: wrong
double step_wrong(optim::Optimizer& optimizer, const Variable& loss) {
  loss.backward();
  optimizer.step();
  return loss.item();
}
// museum: /wrong

// museum: right
double step(optim::Optimizer& optimizer, const Variable& loss) {
  optimizer.zero_grad();
  loss.backward();
  optimizer.step();
  return loss.item();
}
// museum: /right

// A line through points.
std::vector<double> learn(bool wrong) {
  const Variable w = parameter(zeros({3, 1}, DType::f64));
  optim::SGD optimizer({w}, {.learning_rate = 0.05});
  const Tensor x = noise({32, 3}), goal = matmul(x, f64({{1}, {-2}, {3}}));
  return losses(80, [&] { return (wrong ? step_wrong : step)(optimizer, nn::mse_loss(matmul(x, w), goal)); });
}

const Hung on_the_wall({
    .name = "gradients_not_cleared",
    .title = "Gradients are not cleared between steps",
    .looks =
        "The loss falls, rises again, and swings for ever. With a small learning rate it looks as if the model just "
        "learned badly.",
    .common = "Very common. A `backward` adds to the gradients that are there, in PyTorch as well as here, "
              "since a parameter may be used in several losses.",
    .lesson = "Each step then follows the sum of all gradients so far: a heavy ball that nothing slows down. After two "
              "steps, compare the gradient of a parameter with that of the second loss alone.",
    .look =
        [](bool wrong) {
          const Variable w = parameter(ones({3}, DType::f64));
          optim::SGD optimizer({w}, {.learning_rate = 0});
          for (const double place : {1.0, 2.0}) (wrong ? step_wrong : step)(optimizer, sum(square(w * place)));
          return by_law("the gradient is that of the last loss", w.gradient().value(), f64({8, 8, 8}));
        },
    .learn = learn,
});

}  // namespace regard::museum::gradients_not_cleared

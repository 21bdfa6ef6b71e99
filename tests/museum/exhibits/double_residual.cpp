#include "autograd/all.h"
#include "nn/losses.h"
#include "nn/optim/sgd.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::double_residual {

struct Weights {
  Variable up, down;
};

Variable normed(const Variable& x) { return x * rsqrt(mean(square(x), -1, keepdim) + 1e-6); }

// museum: wrong
Variable block_wrong(const Variable& x, const Weights& w) {
  const Variable y = x + matmul(relu(matmul(normed(x), w.up)), w.down);
  return x + y;
}
// museum: /wrong

// museum: right
Variable block(const Variable& x, const Weights& w) {
  const Variable y = x + matmul(relu(matmul(normed(x), w.up)), w.down);
  return y;
}
// museum: /right

// Eight blocks and a last norm learn a function of 4 numbers.
std::vector<double> learn(bool wrong) {
  std::vector<Weights> blocks;
  std::vector<Variable> all;
  for (std::uint64_t i = 0; i < 8; ++i) {
    blocks.push_back(
        {parameter(noise({4, 8}, 2 * i + 1, DType::f64, 0.5)), parameter(noise({8, 4}, 2 * i + 2, DType::f64, 0.1))});
    all.insert(all.end(), {blocks.back().up, blocks.back().down});
  }
  const Tensor x = noise({32, 4}, 50), goal = normed(sin(x * 2.0)).value();
  optim::SGD optimizer(all, {.learning_rate = 0.05});
  return losses(120, [&] {
    Variable y = x;
    for (const Weights& w : blocks) y = wrong ? block_wrong(y, w) : block(y, w);
    const Variable loss = nn::mse_loss(normed(y), goal);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    return loss.item();
  });
}

const Hung on_the_wall({
    .name = "double_residual",
    .title = "The input of a block is added twice",
    .looks = "Nothing breaks, since the norms set all sizes right again. But what is carried along doubles in each "
             "block, and what a later block adds counts for less and less. A deep model learns as slowly as if most "
             "of it were not there.",
    .common = "It comes about when a function that adds its input already is put into a block that adds it, too. A "
              "relative of it adds the normed input: then the straight way back goes through the norm.",
    .lesson = "A block whose last matrix is 0 adds nothing, so it must give back what it was given. That is "
              "quick to test, whatever stands inside the block.",
    .look =
        [](bool wrong) {
          const Variable x = noise({2, 4}, 1);
          const Weights adds_nothing{noise({4, 8}, 2), zeros({8, 4}, DType::f64)};
          return by_law("a block whose last matrix is 0 gives back its input",
                        (wrong ? block_wrong : block)(x, adds_nothing).value(), x.value());
        },
    .learn = learn,
});

}  // namespace regard::museum::double_residual

#include "autograd/all.h"
#include "nn/losses.h"
#include "nn/optim/sgd.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::shuffled_apart {

struct Data {
  Tensor x, y;
};

// museum: wrong
Data shuffled_wrong(const Data& data, Generator& generator) {
  const std::int64_t rows = data.x.size(0);
  const Tensor x = index_select(data.x, 0, permutation(rows, generator));
  const Tensor y = index_select(data.y, 0, permutation(rows, generator));
  return {x, y};
}
// museum: /wrong

// museum: right
Data shuffled(const Data& data, Generator& generator) {
  const Tensor order = permutation(data.x.size(0), generator);
  const Tensor x = index_select(data.x, 0, order);
  const Tensor y = index_select(data.y, 0, order);
  return {x, y};
}
// museum: /right

Data doubled() {
  const Tensor x = noise({64, 1});
  return {x, x * 2.0};
}

std::vector<double> learn(bool wrong) {
  const Variable w = parameter(zeros({1, 1}, DType::f64));
  optim::SGD optimizer({w}, {.learning_rate = 0.05});
  Generator generator(2);
  return losses(60, [&] {
    const Data data = (wrong ? shuffled_wrong : shuffled)(doubled(), generator);
    const Variable loss = nn::mse_loss(matmul(data.x, w), data.y);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    return loss.item();
  });
}

const Hung on_the_wall({
    .name = "shuffled_apart",
    .title = "Inputs are shuffled apart from their labels",
    .looks = "The loss stays at what one can do by always saying the mean. The model looks too small, or the task too "
             "hard.",
    .common = "It comes from two calls of a function that shuffles, or from sorting one of two lists. The same happens "
              "when a batch is shuffled and its lengths or its mask are not.",
    .lesson = "Take data in which the label can be told from the input, such as y = 2x, send it through the whole "
              "pipeline, and look whether it still can. One order is drawn, and used for all. (`nn::batches` takes all "
              "tensors together for this reason.)",
    .look =
        [](bool wrong) {
          Generator generator(2);
          const Data data = (wrong ? shuffled_wrong : shuffled)(doubled(), generator);
          return by_law("where each y is 2x, it is so after shuffling", data.y, data.x * 2.0);
        },
    .learn = learn,
});

}  // namespace regard::museum::shuffled_apart

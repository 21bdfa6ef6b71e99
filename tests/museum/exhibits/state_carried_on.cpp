#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::state_carried_on {

struct Net {
  Variable w = parameter(noise({3, 3}, 1, DType::f64, 0.5)), u = parameter(noise({3, 3}, 2, DType::f64, 0.5));
  Variable step(const Variable& x, const Variable& h) const { return tanh(matmul(x, w) + matmul(h, u)); }
};

// museum: wrong
void train_wrong(const Net& net, const std::vector<Tensor>& pieces) {  // of one long text
  Variable h = zeros({1, 3}, DType::f64);
  for (const Tensor& piece : pieces) {
    h = net.step(piece, h);
    mean(square(h)).backward();
  }
}
// museum: /wrong

// museum: right
void train(const Net& net, const std::vector<Tensor>& pieces) {
  Variable h = zeros({1, 3}, DType::f64);
  for (const Tensor& piece : pieces) {
    h = net.step(piece, detach(h));
    mean(square(h)).backward();
  }
}
// museum: /right

const Hung on_the_wall({
    .name = "state_carried_on",
    .title = "The state of the last batch is carried on with its graph",
    .looks = "The first batch is fine. The second one ends in an error about a graph that was freed. Keeping all "
             "graphs is no way out. Where an optimiser steps between the batches there is another error: the weights "
             "of the old graph have got new values. Where none steps, each batch walks back through all batches "
             "before it, and takes longer than the one before.",
    .common = "Very common with recurrent networks: OpenNMT/OpenNMT-py#403, darts issue 56, PyTorch-Tutorial issue 57.",
    .lesson = "The new state was computed from the old one, so the walk backward goes on into the batch before, whose "
              "graph is gone. Take the number and leave its past: `detach` is where the gradient shall end. This is "
              "called truncated backpropagation through time.",
    .look =
        [](bool wrong) {
          return by_error("an error of the library", [wrong] {
            (wrong ? train_wrong : train)(Net(), {noise({1, 3}, 3), noise({1, 3}, 4)});
          });
        },
});

}  // namespace regard::museum::state_carried_on

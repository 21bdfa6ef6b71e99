#include "nn/layers/embedding.h"
#include "nn/layers/linear.h"
#include "nn/optim/sgd.h"
#include "tests/museum/tools.h"

namespace regard::museum::tied_weights_twice {

// A model whose table of tokens is its output matrix, too.
struct Tied {
  Generator generator{1};
  nn::Embedding tokens{{.count = 5, .size = 3}, generator};
  nn::Linear output{{.in = 3, .out = 5, .bias = false}, generator};

  Tied() { output.weight = tokens.weight; }
  void visit(nn::Visitor& v) {
    v("tokens", tokens);
    v("output", output);
  }
};

// museum: wrong
optim::SGD optimizer_wrong(Tied& model) {
  std::vector<Variable> all = nn::parameters(model.tokens);
  for (const Variable& one : nn::parameters(model.output)) all.push_back(one);
  return optim::SGD(all, {.learning_rate = 0.1});
}
// museum: /wrong

// museum: right
optim::SGD optimizer_of(Tied& model) {
  const std::vector<Variable> all = nn::parameters(model);
  return optim::SGD(all, {.learning_rate = 0.1});
}
// museum: /right

const Hung on_the_wall({
    .name = "tied_weights_twice",
    .title = "Tied weights are in the list twice",
    .looks =
        "The parameters of a model are collected part by part, and a matrix that two parts share is found in both. "
        "An optimizer that takes such a list moves it twice a step: it has twice the learning rate of all others, "
        "and twice the weight decay. The count of parameters is too large by the largest matrix of the model.",
    .common = "Wrong counts are reported again and again: llama2.c (issue 378), torchtitan (pull request "
              "3225). A double step is seldom seen, since nothing but the speed shows it.",
    .lesson =
        "A Variable is a handle, so the same one can be found in two places, and a list must ask whether it has it "
        "already. `nn::parameters(model)` does, for the whole model at once. The optimizers of this library refuse "
        "a list with the same parameter twice.",
    .look =
        [](bool wrong) {
          return by_error("the optimizer", [wrong] {
            Tied model;
            wrong ? optimizer_wrong(model) : optimizer_of(model);
          });
        },
});

}  // namespace regard::museum::tied_weights_twice

#pragma once

#include "nn/distributed/numbers.h"
#include "nn/module.h"

namespace regard::distributed {

// What a part of the batch gives: the *sum* of its losses, and over how many it was taken. (Not their mean: the mean of
// means is not the mean, unless all parts are of the same size.) A part without a sample has no loss and the count 0.
struct Share {
  Variable loss;
  double count = 0;
};

struct GlobalGradientOptions {
  std::int64_t micro_batches = 1;
  std::int64_t bucket_bytes = 1 << 20;  // gradients are exchanged in buckets, each full at this size
};

// Gradients of a batch that several ranks compute together:
//
//   GlobalGradients gradients(model, world(), {.micro_batches = 8});
//   const double loss = gradients.reduce([&](std::int64_t m) {
//     const Tensor part = rows_of(batch, m, 8);  // the m-th of eight parts
//     return Share{mse_loss(model(part), …, Reduction::sum), double(part.size(0))};
//   });
//   optimizer.step();
//
// The batch is cut into micro-batches, however many ranks there are. Each rank computes some of them; their gradients
// are added in the order of a fixed tree (tree_sum.h) and divided once, by the count of all. So every parameter, at all
// ranks, has
//
//   gradient = (Σ over micro-batches of ∂loss/∂parameter) / (Σ of counts)
//
// to the last bit the same for any number of ranks, one among them. With one rank this is what is called *gradient
// accumulation*: a large batch in the memory of a small one. A hook on a parameter sees its gradient in each
// micro-batch, but what it returns is not used: the gradient is taken before, as soon as it is complete.
class GlobalGradients {
 public:
  GlobalGradients(const nn::Members& model, Communicator& ranks, const GlobalGradientOptions& options = {});

  // Calls share(m) for each micro-batch of this rank, and leaves the gradient in every parameter. Returns the mean
  // loss, Σ losses / Σ counts. Dropout draws other numbers for each micro-batch, the same whoever computes it.
  double reduce(const std::function<Share(std::int64_t micro_batch)>& share);

 private:
  struct Bucket {
    std::vector<std::size_t> parameters;  // their indexes in the list
    DType dtype;
  };
  class Pass;

  Communicator& ranks_;
  std::int64_t micro_batches_;
  std::vector<Variable> parameters_;
  std::vector<Generator*> generators_;
  std::vector<Bucket> buckets_;
};

}  // namespace regard::distributed

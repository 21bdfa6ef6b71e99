#pragma once

#include "autograd/ops/arithmetic.h"
#include "examples/trainers/look.h"
#include "examples/trainers/together.h"
#include "examples/trainers/watched.h"
#include "nn/distributed/global_gradients.h"
#include "nn/losses.h"
#include "nn/optim/clip.h"
#include "nn/optim/optimizer.h"

#include <functional>
#include <optional>

namespace regard {

using distributed::Share;

// One of the micro-batches that a batch is cut into: part(tokens) are its rows of the tokens of the whole batch.
class Part {
 public:
  Part(std::int64_t micro_batch, std::int64_t micro_batches) : m_(micro_batch), of_(micro_batches) {}
  Tensor operator()(const Tensor& batch) const { return distributed::rows_of(batch, m_, of_); }

 private:
  std::int64_t m_, of_;
};

// The sum of the losses of all classes that count, and how many those are.
Share cross_entropy_share(const Variable& logits, const Tensor& classes, nn::CrossEntropyLossOptions options = {});

// --look: at the mean loss of a whole batch.
template <class Model>
void look_if_wanted(Model& model, const std::function<Share(const Part&)>& share) {
  look_if_wanted(model, [&] {
    const Share all = share(Part(0, 1));
    return all.loss * (1 / all.count);
  });
}

// One step of a training: parameters move against the gradient of the mean loss of a batch. `share` computes the loss
// of a part of it: one of --micro-batches, on one of --ranks. `rows` is any tensor of the batch. A gradient that is
// longer than `limit`, if there is one, is shortened, as one bad batch must not throw the parameters far away. Returns
// the mean loss.
template <class Model>
double descend(Model& model, optim::Optimizer& optimizer, double rate, const Tensor& rows,
               const std::function<Share(const Part&)>& share, std::optional<double> limit = 1) {
  distributed::Communicator& ranks = together().ranks;
  const std::int64_t micro_batches = together().micro_batches;
  optimizer.set_learning_rate(rate);
  look_if_wanted(model, share);
  const StepWatch watched(model);
  distributed::GlobalGradients gradients(model, ranks, {.micro_batches = micro_batches});
  const double loss = gradients.reduce([&](std::int64_t m) {
    const Part part(m, micro_batches);
    return part(rows).size(0) > 0 ? share(part) : Share{};
  });
  watched.before_step();
  if (limit) optim::clip_norm(nn::parameters(model), *limit);
  optimizer.step();
  watched.after_step();
  together().samples += rows.size(0);
  return loss;
}

}  // namespace regard

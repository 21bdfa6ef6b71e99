#pragma once

#include "nn/module.h"
#include "nn/optim/clip.h"
#include "nn/optim/optimizer.h"

namespace regard {

// One step of a training: parameters move against the gradient of the loss. A gradient that is longer than 1 is
// shortened to 1, as one bad batch must not throw them far away. Returns the loss.
template <class Model>
double descend(const Variable& loss, Model& model, optim::Optimizer& optimizer, double rate) {
  optimizer.set_learning_rate(rate);
  optimizer.zero_grad();
  loss.backward();
  optim::clip_norm(nn::parameters(model), 1);
  optimizer.step();
  return loss.item();
}

}  // namespace regard

#pragma once

#include "nn/optim/optimizer.h"

namespace regard::optim {

struct RMSpropOptions {
  double learning_rate = 1e-2;  // η
  double smoothing = 0.99;      // β, how slowly the average forgets
  double epsilon = 1e-8;
  double momentum = 0;      // μ
  double weight_decay = 0;  // λ
};

// Gradients divided by their recent size (Hinton). With g ← g + λ·w:
//   s ← β·s + (1 − β)·g²          d = g/(√s + ε)          v ← μ·v + d          w ← w − η·v
class RMSprop : public Optimizer {
 public:
  explicit RMSprop(const ParameterGroups& groups, const RMSpropOptions& options = {});

 private:
  void update(std::size_t i, Tensor& w, const Tensor& g, const Pace& pace) override;
  void visit_state(nn::Visitor& v) override {
    v("square", square_);
    v("velocity", velocity_);
  }

  RMSpropOptions options_;
  std::vector<Tensor> square_, velocity_;  // no velocity without momentum
};

}  // namespace regard::optim

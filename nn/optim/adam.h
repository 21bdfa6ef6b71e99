#pragma once

#include "nn/optim/optimizer.h"
#include "tensor/fused/adam.h"

namespace regard::optim {

struct AdamOptions {
  double learning_rate = 1e-3;        // α
  double beta1 = 0.9, beta2 = 0.999;  // how slowly the averages of gradients and of their squares forget
  double epsilon = 1e-8;
  double weight_decay = 0;  // λ, mixed with the gradients: g ← g + λ·w
};

// Adam (Kingma and Ba): each number moves by about α, whatever the size of its gradients, slower where they disagree.
// The formula is at adam_step, in tensor/fused/adam.h. Weights, averages and squares are overwritten where they stand.
class Adam : public Optimizer {
 public:
  explicit Adam(const ParameterGroups& groups, const AdamOptions& options = {});

 protected:
  Adam(const char* name, const ParameterGroups& groups, const AdamStep& step);

 private:
  void update(std::size_t i, Tensor& w, const Tensor& g, const Pace& pace) override;
  void visit_state(nn::Visitor& v) override {
    v("mean", mean_);
    v("square", square_);
    v("times", times_);
  }

  AdamStep step_;
  std::vector<Tensor> mean_, square_;  // of the gradients
  std::vector<std::int64_t> times_;    // how often each parameter had a gradient: t
};

struct AdamWOptions {
  double learning_rate = 1e-3;
  double beta1 = 0.9, beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 1e-2;
};

// Adam whose weight decay is not mixed with the gradients, and so is the same for all weights (Loshchilov and Hutter).
class AdamW : public Adam {
 public:
  explicit AdamW(const ParameterGroups& groups, const AdamWOptions& options = {});
};

}  // namespace regard::optim

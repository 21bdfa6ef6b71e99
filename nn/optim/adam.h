#pragma once

#include "nn/optim/optimizer.h"
#include "tensor/fused/adam.h"

namespace regard::optim {

// Adam (Kingma and Ba): each number moves by about α, whatever the size of its gradients, slower where they disagree.
// The formula is at AdamOptions. Weights, averages and squares are overwritten where they stand.
class Adam : public Optimizer {
 public:
  explicit Adam(std::vector<Variable> parameters, const AdamOptions& options = {});

 protected:
  Adam(const char* name, std::vector<Variable> parameters, const AdamOptions& options);

 private:
  void update(std::size_t i, Tensor& w, const Tensor& g) override;
  void visit_state(nn::Visitor& v) override {
    v("mean", mean_);
    v("square", square_);
    v("times", times_);
  }

  AdamOptions options_;
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
  explicit AdamW(std::vector<Variable> parameters, const AdamWOptions& options = {});
};

}  // namespace regard::optim

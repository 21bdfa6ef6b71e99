#pragma once

#include "nn/optim/optimizer.h"

namespace regard::optim {

struct AdagradOptions {
  double learning_rate = 1e-2;  // α
  double epsilon = 1e-10;
  double weight_decay = 0;  // λ
};

// Gradients divided by the length of all that came before (Duchi, Hazan and Singer): rare features keep large steps.
// With g ← g + λ·w:   s ← s + g²          w ← w − α·g/(√s + ε)
class Adagrad : public Optimizer {
 public:
  explicit Adagrad(const ParameterGroups& groups, const AdagradOptions& options = {});

 private:
  void update(std::size_t i, Tensor& w, const Tensor& g, const Pace& pace) override;
  void visit_state(nn::Visitor& v) override { v("square", square_); }

  AdagradOptions options_;
  std::vector<Tensor> square_;
};

}  // namespace regard::optim

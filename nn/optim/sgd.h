#pragma once

#include "nn/optim/optimizer.h"

namespace regard::optim {

struct SGDOptions {
  double learning_rate = 1e-2;  // η
  double momentum = 0;          // μ
  double weight_decay = 0;      // λ
};

// Stochastic gradient descent: downhill, with the momentum of a heavy ball. With g ← g + λ·w:
//   v ← μ·v + g          w ← w − η·v
class SGD : public Optimizer {
 public:
  explicit SGD(const ParameterGroups& groups, const SGDOptions& options = {});

 private:
  void update(std::size_t i, Tensor& w, const Tensor& g, const Pace& pace) override;
  void visit_state(nn::Visitor& v) override { v("velocity", velocity_); }

  SGDOptions options_;
  std::vector<Tensor> velocity_;  // none without momentum
};

}  // namespace regard::optim

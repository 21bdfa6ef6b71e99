#pragma once

#include "autograd/observe.h"
#include "nn/tools/parameter_names.h"

namespace regard {

// While an AnomalyMode lives, every operation on this thread is watched, forward and backward. The first one that makes
// a NaN or an infinity from finite numbers throws a ValueError that tells the story: which element is bad, the numbers
// that it was made from, behind which parameters of a model this was recorded, and what usually helps. Slow: for
// finding a fault, not for training.
//
//   AnomalyMode watch(nn::named_parameters(model));      // or AnomalyMode watch; then no module is named
//
// Gradients that are given to backward() or grad(), or that a hook returns, are watched in the same way.
//
// An infinity that came in, such as the −∞ of a mask, is no fault, nor is one that pad or where put in. A NaN that came
// in is reported, and so is a parameter that is not finite.
class AnomalyMode : public Observer {
 public:
  explicit AnomalyMode(const std::vector<NamedParameter>& parameters = {});

  Tensor value(const OpInfo& op, const graph::Inputs& inputs, const Tensor& made) override;
  void gradient(const GradientMade& event) override;

 private:
  ParameterNames names_;
  std::string last_used_;  // the parameter: it tells where the program is when nothing is recorded
};

}  // namespace regard

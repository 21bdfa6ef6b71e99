#pragma once

#include "autograd/elements.h"
#include "autograd/record.h"
#include "nn/tools/parameter_names.h"

#include <map>

namespace regard::nn {

// How the numbers of a tensor lie, and how those of several tensors together.
struct Spread {
  std::int64_t count = 0;
  double mean = 0, variance = 0;  // the biased one: divided by the count
  double zeros = 0;               // the share of numbers that are exactly 0

  double deviation() const;
  void add(const Spread& more);
};
Spread spread_of(const Tensor& x);

// What an operation of a model returned in one step, and the gradient that arrived there.
struct WatchedActivation {
  std::string name;  // "layers.0.feed_forward.up: relu": the module, and the operation
  Spread spread = {};
  double saturated = 0;         // the share at the ends, where the slope is nearly 0; see below
  bool has_ends = false;        // tanh, sigmoid and softmax have ends
  double squared_gradient = 0;  // Σ (∂loss/∂activation)²
  Tensor alive = {};            // behind a relu: for each unit 1, or 0 if it was 0 in all its values
  std::int64_t alive_rows = 0;  // so many values of each unit

  double gradient_size() const;  // √(mean of the squares): of activations of different sizes this can be compared
};

// Observes what the operations of a model return while it lives: of those that use a parameter, such as linear and
// layer_norm, and of the nonlinear ones behind them. A name that comes again in a step, as in the steps of a recurrent
// network, is one activation.
//
// Saturated are numbers of tanh beyond ±0.99, numbers of sigmoid outside [0.01, 0.99], and rows of softmax of which one
// weight is above 0.99. Units are the channels of an image (B, channels, height, width), and else the last axis.
class ActivationWatch : public Observer {
 public:
  explicit ActivationWatch(const ParameterNames& names) : names_(names) {}

  void recorded(const Variable& result) override;

  std::vector<WatchedActivation> found() const;  // in the order in which they came

 private:
  const ParameterNames& names_;
  std::map<std::string, std::size_t> indexes_;
  // A hook may outlive this watch: the backward pass comes later, or never.
  std::vector<std::shared_ptr<WatchedActivation>> found_;
};

}  // namespace regard::nn

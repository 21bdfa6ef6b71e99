#pragma once

#include "nn/optim/optimizer.h"

namespace regard::optim {

struct AdamOptions {
  double learning_rate = 1e-3;              // η
  double beta1 = 0.9, beta2 = 0.999;        // how slowly the averages of gradients and of their squares forget
  double epsilon = 1e-8;                    // ε
  std::optional<double> weight_decay = {};  // λ; by default 0, and 0.01 for AdamW
};

enum class WeightDecay {
  in_gradient,  // Adam: g ← g + λ·w
  decoupled,    // AdamW: w ← w − η·λ·w
};

// Step t = 1, 2, … of Adam for weights w, means m and squares v, in one pass. First the decay, of either kind; then:
//   m ← β₁m + (1 − β₁)·g         v ← β₂v + (1 − β₂)·g²
//   w ← w − η·m̂/(√v̂ + ε),        m̂ = m/(1 − β₁ᵗ),  v̂ = v/(1 − β₂ᵗ)
// m and v begin with 0 and are too small at first: m̂ and v̂ make up for that.
// w, m and v are overwritten where nobody else holds them, and replaced by new tensors where somebody does: so no other
// tensor changes. Nothing else in the library overwrites a tensor that the program holds.
void adam_step(Tensor& weights, Tensor& means, Tensor& squares, const Tensor& gradient, std::int64_t t,
               const AdamOptions& options, WeightDecay decay = WeightDecay::in_gradient);

// Adam (Kingma and Ba): each number moves by about η, whatever the size of its gradients, slower where they disagree.
class Adam : public Optimizer {
 public:
  explicit Adam(const ParameterGroups& groups, const AdamOptions& options = {})
      : Adam("Adam", groups, options, WeightDecay::in_gradient) {}

 protected:
  Adam(const char* name, const ParameterGroups& groups, const AdamOptions& options, WeightDecay decay);

 private:
  void update(std::size_t i, Tensor& w, const Tensor& g, const Pace& pace) override;
  void visit_state(nn::Visitor& v) override {
    v("mean", mean_);
    v("square", square_);
    v("times", times_);
  }

  AdamOptions options_;
  WeightDecay decay_;
  std::vector<Tensor> mean_, square_;  // of the gradients: m and v
  std::vector<std::int64_t> times_;    // how often each parameter had a gradient: t
};

// Adam whose weight decay is not mixed with the gradients, and so is the same for all weights (Loshchilov and Hutter).
class AdamW : public Adam {
 public:
  explicit AdamW(const ParameterGroups& groups, const AdamOptions& options = {})
      : Adam("AdamW", groups, options, WeightDecay::decoupled) {}
};

}  // namespace regard::optim

#pragma once

#include "nn/tools/view/recording.h"
#include "nn/tools/watch/activations.h"

#include <algorithm>
#include <cmath>

namespace regard::nn {

// Where one head of an attention looked, as a mean over some queries of the first sequence.
struct WatchedHead {
  std::string name;      // of the attention: "layers.0.attention"
  int head = 0;          // from 0
  double one_key = 0;    // the mean weight of the key that is looked at most: 1 where all look at the same
  std::int64_t key = 0;  // which one that is
  std::int64_t keys = 0, queries = 0;
  double evenness = 0;  // distance from looking at all visible keys alike: ½ Σ |α − 1/visible|, 0 … 1
  int twin = -1;        // the head of the same attention that is most like it; −1: there is no other
  double distance = 1;  // from that one: ½ Σ |α − α′|, 0 (the same) … 1
};

std::vector<WatchedHead> watched_heads(const Recording& recording);

struct WatchedParameter {
  std::string name;
  int rank = 0;
  Spread spread = {};
  double gradient = 0;  // the length of ∂loss/∂parameter
  double update = 0;    // the length of the change that the step made, over the length of the parameter before

  // √(mean of the squares of its gradient): of parameters of different sizes this can be compared.
  double gradient_size() const { return gradient / std::sqrt(std::max(1.0, static_cast<double>(spread.count))); }
};

// What was seen in one step of a training.
struct WatchedStep {
  std::int64_t step = 0;  // from 1
  std::vector<WatchedParameter> parameters = {};
  std::vector<WatchedActivation> activations = {};
  std::vector<WatchedHead> heads = {};
};

struct WatchOptions {
  std::int64_t every = 25;  // looks at step 1, and at each step whose number is a multiple of this
};

// Watches the training of a model. It looks at some steps, and hands out numbers: see warnings.h.
//
//   nn::Watch watch(model);
//   for (…) {
//     watch.before_forward();
//     const Variable loss = …;
//     optimizer.zero_grad();
//     loss.backward();
//     watch.before_step();                // here it looks at gradients, before they are shortened
//     optimizer.step();
//     if (watch.after_step()) fmt::print("{}\n", nn::line_of(watch.steps().back()));
//   }
//   for (const std::string& warning : nn::warnings(watch)) fmt::print("{}\n", warning);
//
// The training is the same, bit by bit. Steps that it does not look at cost nothing. Of parameters that two modules
// share, and of what is computed with them, it knows the first name.
class Watch {
 public:
  explicit Watch(const Members& model, const WatchOptions& options = {});
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void before_forward();
  void before_step();
  bool after_step();  // whether it has looked at this step

  std::int64_t every() const { return every_; }
  const std::vector<NamedParameter>& parameters() const { return parameters_; }
  const std::vector<WatchedStep>& steps() const { return steps_; }  // those that it has looked at

 private:
  struct Look;

  Members model_;
  std::vector<NamedParameter> parameters_;
  ParameterNames names_;
  std::int64_t every_, step_ = 0;
  std::unique_ptr<Look> look_;  // while it looks at a step
  std::vector<WatchedStep> steps_;
};

}  // namespace regard::nn

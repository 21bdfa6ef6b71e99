#pragma once

#include "autograd/variable.h"

namespace regard {

// Reverse-mode differentiation. Results carry larger order() numbers than what they were made from, so visiting
// Variables by falling number sees every use of a value before the value itself: its gradient is then complete.

struct BackwardOptions {
  Variable gradient = {};     // the gradient to start with; needed unless the output is a single number
  bool keep_graph = false;    // leave the graph for another pass; otherwise it is freed on the way
  bool create_graph = false;  // record the rules too, so that gradients can be differentiated; implies keep_graph
  // Leaves are older than all results, so they come last. With this each is visited as soon as its gradient is
  // complete, while the walk goes on behind it: hooks can make use of the time. It costs a look at the whole graph.
  bool leaves_early = false;
};

struct GradOptions {
  std::vector<Variable> gradients = {};  // one for each output, as above
  bool keep_graph = false;
  bool create_graph = false;
  bool allow_unused = false;  // inputs on which no output depends get zeros instead of an error
};

// ∂(outputs)/∂(inputs), returned instead of added to gradient(). Inputs may be results of operations too.
std::vector<Variable> grad(const std::vector<Variable>& outputs, const std::vector<Variable>& inputs,
                           const GradOptions& options = {});

// What the rule of the operation that made `result` returns when this gradient arrives there: one for each input, of
// the right shape; undefined where none is wanted. It is what a walk does at each result.
graph::Gradients apply_rule(const Variable& result, const Variable& gradient);

}  // namespace regard

#pragma once

#include "autograd/record.h"

namespace regard {

// Reverse-mode differentiation. Results carry larger order() numbers than what they were made from, so visiting
// Variables by falling number sees every use of a value before the value itself: its gradient is then complete.

struct BackwardOptions {
  Variable gradient = {};     // the gradient to start with; needed unless the output is a single number
  bool keep_graph = false;    // leave the graph for another pass; otherwise it is freed on the way
  bool create_graph = false;  // record the rules too, so that gradients can be differentiated; implies keep_graph
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

namespace graph {

// One step of the walk: what the operation that made the result passes on to each of its inputs if this gradient
// arrives at the result. Undefined for inputs that require none.
Gradients apply_rule(const Variable& result, const Variable& gradient);

}  // namespace graph
}  // namespace regard

#pragma once

#include "autograd/record.h"

namespace regard::graph {

// A recorded computation as a list that can be looked at: every Variable that an output was made from, inputs before
// what was made from them, the output last. The tools that explain all begin with it.
struct Step {
  Variable result;
  std::vector<std::size_t> inputs;  // the indexes of its inputs in the list; none for leaves and constants
  Variable gradient = {};           // that arrived here, complete; undefined where none did
  Gradients passed = {};            // what the rule passed on to each input; they add up to the gradient of the input

  const OpInfo* op() const { return result.node() ? &result.node()->op : nullptr; }  // null for leaves and constants
};
using Trace = std::vector<Step>;

// `asking` is who asks, for the error about a graph that a backward pass has freed.
Trace trace(const char* asking, const Variable& output);

// The index of x in the list; the size of the list if the output was not made from x.
std::size_t index_in(const Trace& steps, const Variable& x);

struct PassBack {
  Variable start = {};  // the gradient at the output; undefined means 1
  std::size_t to = 0;   // no farther back than to this step, and only through what was made from it; 0: through all
  bool keep = true;     // else only leaves, and the step `to`, keep what arrives
  std::function<void(std::size_t)> begin = {},
                                   done = {};  // called before and after each operation that is gone through
};

// Walks from the output back, as backward() does, and keeps all that passes: fills in `gradient` and `passed`. Leaves
// keep the gradients that they have. Hooks are not run: they may do more than look.
void pass_back(Trace& steps, const PassBack& options = {});

// How results move if one element of one Variable does: for each step ∂(result)/∂(element), in the shape of the result;
// undefined for those that were not made from the Variable. At each step, gradient · tangent is then the share of the
// derivative ∂(output)/∂(element) that goes through this step.
std::vector<Tensor> tangents(const Trace& steps, std::size_t index, std::int64_t element);

// How the result of one operation moves if its inputs move by these tangents; undefined ones mean: not at all.
//
// A rule computes g ↦ Jᵀg, from the gradient of the result to that of an input, and J is wanted, which takes tangents
// the other way. The rule is linear in g, so ⟨Jᵀg, t⟩ = ⟨g, J·t⟩ is, too, and its derivative with respect to g is J·t.
// Rules are recorded like anything else, so this derivative is there for the asking.
Tensor push_forward(const Variable& result, const std::vector<Tensor>& input_tangents);

}  // namespace regard::graph

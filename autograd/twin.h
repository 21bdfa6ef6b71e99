#pragma once

#include "autograd/backward.h"
#include "autograd/record.h"
#include "tensor/create.h"

namespace regard {

// A fused operation computes in one pass what others compose, and its gradients with a second kernel. Where gradients are
// to be differentiated themselves that kernel will not do: then they are those of the composed twin, a function of the
// same inputs written with Variables. The twin is also what the fused operation is tested against.
//
//   record(op("…"), {x, w}, fused value, [=](const Variable& grad, const Saved& saved) {
//     if (is_recording()) return twin_gradients(composed, grad, saved);
//     return gradients(fused gradient of x, fused gradient of w);
//   });
template <class Composed>
Gradients twin_gradients(const Composed& composed, const Variable& grad, const Saved& saved) {
  // One input may have been made from another. Differentiating with respect to fresh names of them keeps to this
  // operation, and still leads on to the inputs themselves.
  std::vector<Variable> names, wanted;
  for (const Variable& input : saved.inputs) {
    names.push_back(
        record(op("affine"), {input}, input.value(), [](const Variable& g, const Saved&) { return gradients(g); }));
    if (input.requires_grad()) wanted.push_back(names.back());
  }
  // A function that makes no use of an input has the gradient 0 there.
  const Variable output = composed(names);
  std::vector<Variable> found;
  if (output.requires_grad())
    found = regard::grad({output}, wanted, {.gradients = {grad}, .create_graph = true, .allow_unused = true});
  else
    for (const Variable& x : wanted) found.push_back(zeros(x.shape(), x.dtype()));
  Gradients result(names.size());
  auto next = found.begin();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (saved.wants(i)) result[i] = *next++;
  return result;
}

}  // namespace regard

#include "autograd/twin.h"

#include "autograd/backward.h"
#include "autograd/ops/view.h"
#include "tensor/create.h"

namespace regard {

graph::Gradients twin_gradients(const Twin& twin, const Variable& grad, const Saved& saved) {
  // One input may have been made from another. Differentiating with respect to fresh names of them keeps to this
  // operation, and still leads on to the inputs themselves.
  graph::Inputs names;
  std::vector<Variable> wanted;
  for (const Variable& input : saved.inputs) {
    names.push_back(identity(input));
    if (input.requires_grad()) wanted.push_back(names.back());
  }
  // A twin that makes no use of an input has the gradient 0 there.
  const Variable output = twin(names);
  std::vector<Variable> found;
  if (output.requires_grad())
    found = regard::grad({output}, wanted, {.gradients = {grad}, .create_graph = true, .allow_unused = true});
  else
    for (const Variable& x : wanted) found.push_back(zeros(x.shape(), x.dtype()));
  graph::Gradients result(names.size());
  auto next = found.begin();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (saved.wants(i)) result[i] = *next++;
  return result;
}

}  // namespace regard

#pragma once

#include "autograd/record.h"

namespace regard {

// A fused operation computes in one pass over memory what others compose, and its gradient in another pass. Both work
// on numbers. So where a gradient is to be differentiated itself, there is nothing to differentiate: then the gradient
// is taken of the composed twin, the same function of the same inputs, written with Variables. The twin is also what
// the fused operation is tested against.
//
//   return record(op("…"), {x, w}, value,
//                 with_twin([](const graph::Inputs& in) { return composed twin of in[0] and in[1]; },
//                           [](const Variable& grad, const Saved& saved) { return gradients(…); }));
using Twin = std::function<Variable(const graph::Inputs& inputs)>;

// The gradients of the twin at the inputs of the fused operation, recorded.
graph::Gradients twin_gradients(const Twin& twin, const Variable& grad, const Saved& saved);

// book: with_twin
// The rule of a fused operation: the fast one for numbers, that of the twin where gradients are recorded.
template <class T, class R>
auto with_twin(T twin, R rule) {
  return [twin = std::move(twin), rule = std::move(rule)](const Variable& grad, const Saved& saved) {
    return is_recording() ? twin_gradients(twin, grad, saved) : rule(grad, saved);
  };
}
// book: /with_twin

}  // namespace regard

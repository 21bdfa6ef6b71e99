#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::stepped_before_backward {

// museum: wrong
void step_wrong(Variable& w, const Variable& x, const Variable& y) {
  const Variable misfit = mean(square(x * w - y)), size = mean(square(w));
  assign(w, w.value() - 0.1 * grad({misfit}, {w})[0].value());
  assign(w, w.value() - 0.1 * grad({size}, {w})[0].value());  // was recorded with the old w
}
// museum: /wrong

// museum: right
void step(Variable& w, const Variable& x, const Variable& y) {
  const Variable misfit = mean(square(x * w - y)), size = mean(square(w));
  const Tensor downhill = grad({misfit}, {w})[0].value() + grad({size}, {w})[0].value();
  assign(w, w.value() - 0.1 * downhill);
}
// museum: /right

const Hung on_the_wall({
    .name = "stepped_before_backward",
    .title = "A step between the forward and the backward pass",
    .looks = "Two losses share a parameter. The optimiser steps for the first one, and then the second one goes "
             "backward. This library and PyTorch end with an error. Without that check nothing would be seen: rules "
             "would mix the new value with numbers computed from the old one, and in most functions the gradient "
             "would be that of neither.",
    .common = "Common where two networks are trained against each other and each has an optimiser. It is one of the "
              "ways to PyTorch's message about a variable that was modified by an inplace operation "
              "(pytorch/pytorch#96265 and many others): the step of an optimiser is such an operation.",
    .lesson = "A leaf counts how often it was assigned to, and each operation remembers the count. Before its rule "
              "runs the two are compared. First all gradients, then all steps.",
    .look =
        [](bool wrong) {
          return by_error("an error of backward", [wrong] {
            Variable w = parameter(noise({4}));
            (wrong ? step_wrong : step)(w, noise({4}, 2), noise({4}, 3));
          });
        },
});

}  // namespace regard::museum::stepped_before_backward

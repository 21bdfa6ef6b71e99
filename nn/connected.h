#pragma once

#include "nn/module.h"

namespace regard::nn {

// Throws unless the loss depends on every parameter of the module that is not frozen, and names those on which it does
// not. Such a parameter is never trained, and nothing else says so. The message also names the operations that were
// given a constant: what was computed before a constant (by detach, value() or under NoGrad) is cut off from the loss.
//
//   const Variable loss = nn::mse_loss(model(x), y);
//   nn::assert_connected(loss, model);
void assert_connected(const Variable& loss, const Members& members);

}  // namespace regard::nn

#pragma once

#include "autograd/variable.h"

namespace regard::optim {

// Between backward() and step(): one bad batch must not throw the weights far away. Parameters without gradient are
// skipped.

// All gradients together are one long vector. If that is longer than `limit` it is shortened to it, and keeps its
// direction. Returns the length it had. A length that is not finite is returned, and nothing is changed.
double clip_norm(const std::vector<Variable>& parameters, double limit);

// Each number of each gradient is brought into [−limit, limit].
void clip_value(const std::vector<Variable>& parameters, double limit);

}  // namespace regard::optim

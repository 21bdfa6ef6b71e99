#pragma once

#include "autograd/variable.h"

namespace regard {

// How many operations lie on the shortest way through the recorded graph from y back to x; −1 if there is no way. A
// gradient walks this way, and each operation may make it smaller.
std::int64_t path_length(const Variable& y, const Variable& x);

}  // namespace regard

#pragma once

#include "autograd/variable.h"

namespace regard {

// Whoever watches operations as they are recorded. Each thread has at most one, and operations do their work as if
// there were none. What rules compute in a backward pass is not shown.
class OperationWatch {
 public:
  virtual ~OperationWatch() = default;
  virtual void saw(const Variable& result) = 0;  // result.node() says by which operation, from which inputs
};
OperationWatch*& operation_watch();  // of this thread; null if nobody watches

}  // namespace regard

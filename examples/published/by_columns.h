#pragma once

#include "nn/module.h"
#include "tensor/view.h"

namespace regard::nn {

// Stores all matrices of a module by columns: W(i, j) lies beside W(i + 1, j). No value changes, and no bit of what the
// module computes. But y = x·Wᵀ for a single row x then reads memory in the order in which it lies, so a model writes
// faster, one token at a time. Training is not faster; Adam stores what it changes by rows again.
inline void store_by_columns(const Members& members) {
  for (Variable& one : parameters(members))
    if (one.rank() == 2) assign(one, transpose(contiguous(transpose(one.value()))));
}

}  // namespace regard::nn

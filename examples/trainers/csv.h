#pragma once

#include "tensor/tensor.h"

#include <string>

namespace regard {

// A table of numbers, (rows, columns), from a file with commas between them, here or in examples/data. A first line of
// names is skipped.
Tensor read_csv(const std::string& file);

}  // namespace regard

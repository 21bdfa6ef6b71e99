#pragma once

#include "nn/module.h"

namespace regard::nn {

// Stores the matrices of all Linear and Embedding in a module in bf16: a model that writes one token at a time then
// reads half the bytes, and memory is all it waits for. They are rounded to 8 significant bits, unless they have no
// more, and become constants: there is nothing to train any more. convert(module, DType::f32) widens them again.
void store_in_bf16(const Members& members);

}  // namespace regard::nn

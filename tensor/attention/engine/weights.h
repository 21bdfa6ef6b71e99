#pragma once

#include "tensor/attention/engine/inputs.h"
#include "tensor/attention/engine/tile.h"

namespace regard {

// For pictures, weights before dropout: those of a few queries, (…, queries, Lk).
template <class T>
Tensor attention_rows(const AttentionInputs& in, const engine::TileScore<T>& score, const AttentionForward& made,
                      const std::vector<std::int64_t>& queries);

}  // namespace regard

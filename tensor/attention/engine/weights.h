#pragma once

#include "tensor/attention/engine/inputs.h"
#include "tensor/attention/engine/tile.h"

namespace regard {

// For pictures, weights before dropout: those of a few queries, (…, queries, Lk); or a map (…, height, width) of all of
// them, in which a cell is the mean over its queries of what they give to its keys. Its rows sum to 1, or to less if
// some of their queries see nothing.
template <class T>
Tensor attention_rows(const AttentionInputs& in, const engine::TileScore<T>& score, const AttentionForward& made,
                      const std::vector<std::int64_t>& queries);
template <class T>
Tensor attention_map(const AttentionInputs& in, const engine::TileScore<T>& score, const AttentionForward& made,
                     std::int64_t height, std::int64_t width);

}  // namespace regard

#pragma once

#include "tensor/attention/engine/inputs.h"
#include "tensor/attention/engine/tile.h"

namespace regard {

template <class T>
AttentionForward attention_forward(const AttentionInputs& in, const engine::TileScore<T>& score);

}  // namespace regard

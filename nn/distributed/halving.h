#pragma once

#include "nn/distributed/exchange.h"

namespace regard::distributed {

// The exchange for 2ᵏ ranks with one node each. Partners at distance 1, 2, 4, … halve what they still have in common:
// each adds one half and sends the other. Then they go back the same way and double what they know. A rank sends
// 2·n·(P − 1)/P numbers, in 2·log₂ P messages.
std::unique_ptr<Exchange> begin_halving(Communicator& ranks, int tag, Tensor sum);

}  // namespace regard::distributed

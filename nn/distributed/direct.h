#pragma once

#include "nn/distributed/exchange.h"

namespace regard::distributed {

// The exchange for any number of ranks P: every rank adds the numbers of one piece of n/P, gets the parts of the others
// for it, and sends the total of its piece to all. A rank sends (its nodes + 1)·n·(P − 1)/P numbers.
std::unique_ptr<Exchange> begin_direct(Communicator& ranks, int tag, std::int64_t leaves,
                                       std::vector<TreeSum::Subtree> subtrees);

}  // namespace regard::distributed

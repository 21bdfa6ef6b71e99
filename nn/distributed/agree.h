#pragma once

#include "nn/distributed/communicator.h"
#include "nn/module.h"

namespace regard::distributed {

// All ranks get what rank 0 has: parameters, buffers, generators and counters of the module, which must be built alike
// everywhere. For the start, after rank 0 has loaded a checkpoint or drawn the parameters.
void broadcast(Communicator& ranks, const nn::Members& members);

// A number that follows from the bits of all members, "9f86d081884c7d65": require_same(ranks, "the bits of the model",
// hash_of(model)) compares the models of all ranks by it.
std::string hash_of(const nn::Members& members);

// How this program was built: its compiler, and the width of its registers. Ranks that differ in it may round
// differently.
std::string build_of_this_program();

}  // namespace regard::distributed

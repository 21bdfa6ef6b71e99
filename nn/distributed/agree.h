#pragma once

#include "nn/distributed/communicator.h"
#include "nn/module.h"

namespace regard::distributed {

// All ranks get what rank 0 has: parameters, buffers, generators and counters of the module, which must be built alike
// everywhere. For the start, after rank 0 has loaded a checkpoint or drawn the parameters.
void broadcast(Communicator& ranks, const nn::Members& members);

// Are the bits of all members the same everywhere? An error names the first rank that differs.
void require_same_state(Communicator& ranks, const nn::Members& members);

// A number that follows from the bits of all members, to compare models by: "9f86d081884c7d65".
std::string hash_of(const nn::Members& members);

// How this program was built: its compiler, and the width of its registers. Ranks that differ in it may round
// differently.
std::string build_of_this_program();

}  // namespace regard::distributed

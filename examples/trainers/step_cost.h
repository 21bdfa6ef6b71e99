#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace regard {

// What a message costs: α seconds, whatever it holds, and its bytes divided by β.
struct Network {
  std::string name;
  double latency;    // α, in seconds
  double bandwidth;  // β, in bytes a second
};

// What a step of training costs besides messages.
struct StepWork {
  double micro_batch;          // seconds for the gradient of one, on one rank
  double update;               // seconds for what each rank does once: dividing, clipping, the optimizer
  std::int64_t micro_batches;  // of all ranks together
  double bytes;                // of all gradients
  double buckets;              // in which they are exchanged
};

// The seconds of a step on P ranks, if nothing of the exchange is hidden behind the backward pass:
//
//   ⌈M/P⌉·(seconds of a micro-batch) + update + 2·(P − 1)·buckets·α + 2·(P − 1)/P·bytes/β
//
// Where ranks share cores, each is that much slower: `ranks_a_core` is above 1.
double step_seconds(const StepWork& work, const Network& network, int ranks, double ranks_a_core = 1);

// Networks that are common where many machines stand together, with what one can expect of them.
std::vector<Network> common_networks();

}  // namespace regard

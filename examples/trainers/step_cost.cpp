#include "examples/trainers/step_cost.h"

#include <algorithm>
#include <cmath>

namespace regard {

// book: seconds
double step_seconds(const StepWork& work, const Network& network, int ranks, double ranks_a_core) {
  const double p = ranks, slower = std::max(1.0, ranks_a_core);
  const double compute = std::ceil(static_cast<double>(work.micro_batches) / p) * work.micro_batch + work.update;
  const double messages = 2 * (p - 1) * work.buckets * network.latency;
  const double traffic = 2 * (p - 1) / p * work.bytes / network.bandwidth;
  return compute * slower + messages + traffic;
}
// book: /seconds

std::vector<Network> common_networks() {
  return {{"Ethernet, 1 Gb/s", 50e-6, 0.118e9},
          {"Ethernet, 25 Gb/s", 15e-6, 2.9e9},
          {"InfiniBand, 200 Gb/s", 1.5e-6, 24e9}};
}

}  // namespace regard

#pragma once

#include "tensor/fused/rotate_pairs.h"

#include <cstdint>
#include <vector>

namespace regard::nn {

using RotaryLayout = PairLayout;  // which features are turned together: neighbours, or one from each half

// How fast rotary positions turn. Pair j of P pairs of features turns by ωⱼ from one position to the next, so it is
// back where it was after 2π/ωⱼ positions. Models that are to read longer texts than they were trained on slow some
// pairs down: examples/published/rotary_scaling.h has the published ways.
struct RotaryFrequencies {
  std::vector<double> of_pairs = {};  // ωⱼ, one for each pair that is turned
  // What is turned is multiplied by this as well, queries and keys alike: scores by its square.
  double times = 1;

  bool operator==(const RotaryFrequencies&) const = default;
};

namespace rotary {

// ωⱼ = base^(−j/P)
RotaryFrequencies plain(std::int64_t pairs, double base = 10000);

}  // namespace rotary
}  // namespace regard::nn

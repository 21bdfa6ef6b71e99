#pragma once

#include "tensor/random/random.h"

namespace regard::gradchecks {

// While one lives, every operation on this thread rounds worse than it has to: each f64 element of its result is
// changed at random, by up to two units in the last place. What hangs on a last digit then jumps, and can be seen.
class LooseRounding {
 public:
  explicit LooseRounding(std::uint64_t seed);
  ~LooseRounding();
  LooseRounding(const LooseRounding&) = delete;
  LooseRounding& operator=(const LooseRounding&) = delete;

  Tensor loosened(const Tensor& value);

 private:
  Generator generator_;
  LooseRounding* before_;
};

}  // namespace regard::gradchecks

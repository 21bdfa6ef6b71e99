#pragma once

#include "autograd/record.h"
#include "tensor/random/random.h"

namespace regard::gradchecks {

// While one lives, every operation on this thread rounds worse than it has to: each f64 element of its result is
// changed at random, by up to two units in the last place. What hangs on a last digit then jumps, and can be seen.
class LooseRounding : public Observer {
 public:
  explicit LooseRounding(std::uint64_t seed);

  Tensor value(const OpInfo& op, const graph::Inputs& inputs, const Tensor& value) override;

 private:
  Generator generator_;
};

}  // namespace regard::gradchecks

#pragma once

#include "tests/reference/record.h"

namespace regard::reference {

// How far a tensor is from its reference.
struct Deviation {
  std::int64_t count = 0;  // numbers compared
  double worst = 0;        // the largest |ours − PyTorch's| / max(|PyTorch's|, floor); infinite if shapes differ
  std::string message;     // the element that is worst, with both numbers
};

// NaN agrees with NaN and with nothing else; infinities agree with their like.
Deviation deviation(const Tensor& ours, const Tensor& reference, double floor);
double relative_error(double ours, double reference, double floor);

}  // namespace regard::reference

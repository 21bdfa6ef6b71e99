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
Deviation deviation_of_all(const std::vector<Tensor>& ours, const std::vector<Tensor>& reference, double floor);
double relative_error(double ours, double reference, double floor);

// How far f32 may be from f64 where PyTorch's f32 is `theirs` away: four times as far. Where PyTorch happens to be
// exact, two units in the last place stand for its error.
double allowed_in_f32(double theirs);

}  // namespace regard::reference

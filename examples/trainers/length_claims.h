#pragma once

#include <string>
#include <vector>

namespace regard::length_cost {

// A kind of attention at each of some lengths, which ascend by twos.
struct Curve {
  std::vector<double> lengths = {}, milliseconds = {}, bytes = {};
};

// Forward alone, and a step: forward, and back to the gradients of queries, keys and values. Both composed curves have
// the same lengths, and both fused ones; those of the latter go on where the former end.
struct Costs {
  Curve composed_forward = {}, composed_step = {}, fused_forward = {}, fused_step = {};
};

// b in y ≈ a·nᵇ between the last length and the one before.
double last_power(const std::vector<double>& y);

// What the caption says. The first part is about memory, and the same in every run; the second is about times.
std::string about_memory(const Costs& costs);
std::string about_times(const Costs& costs);

}  // namespace regard::length_cost

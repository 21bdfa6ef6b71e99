#pragma once

#include <string>
#include <vector>

namespace regard {

// What becomes of scores, weights and gradients at each size D of queries and keys: means over draws.
struct BySize {
  std::vector<double> variance, entropy, largest, gradient;  // largest: the weight of the key that gets most
};

std::string title_of_the_scale(const BySize& scaled);
// What the caption of why_the_scale says. The sizes ascend.
std::string about_the_scale(const std::vector<double>& sizes, const BySize& bare, const BySize& scaled);

}  // namespace regard

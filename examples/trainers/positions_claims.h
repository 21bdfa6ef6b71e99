#pragma once

#include "tensor/tensor.h"

#include <string>

// What the captions of 11 say of positions. Each sentence follows from the numbers that are given.
namespace regard::positions {

// The dot products of all rows of a table of positions with each other, (L, L).
std::string about_similarity(const Tensor& dots);

std::int64_t best_distance(const Tensor& scores);  // j − i, where the middle row is largest

// Rotary scores (L, L) of one q at all positions: with itself at all of them, and with another k. `off_similarity`: by
// how much those of q = k = ones differ at most from the dot products above, times 2/√D.
std::string about_rotary(const Tensor& with_itself, const Tensor& with_another, double off_similarity);

// The biases of all heads, (H, L, L).
std::string about_alibi(const Tensor& biases);

}  // namespace regard::positions

#pragma once

#include "tensor/tensor.h"

#include <string>
#include <vector>

// What the captions of 07 and 08 say of a training. Each sentence follows from the numbers that are given.
namespace regard::recall {

// Errors on the same examples never seen, by what in them is noisy: the codes of the queries, of the keys, or both.
struct ErrorsByNoise {
  double both, queries, keys, neither;
};

// Weights (pairs, pairs) of one example: query i asks for key i.
std::string title_of_weights(const Tensor& before, const Tensor& after);
std::string about_weights(const Tensor& before, const Tensor& after);

// Errors at equal steps of a training, and what they are at its end.
std::string about_errors(const std::vector<double>& errors, const ErrorsByNoise& at_the_end);

}  // namespace regard::recall

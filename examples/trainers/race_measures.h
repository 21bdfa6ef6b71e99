#pragma once

#include "examples/trainers/racers.h"

// What is measured of the racers besides their answers.
namespace regard::race {

// How far it is from the answer back to the symbol, `distance` positions before: the number of recorded operations on
// the shortest way. Of all positions the first is the farthest. −1 if the answer does not depend on it at all.
double path_length(const Kind& kind, std::int64_t width, std::int64_t layers, std::int64_t distance);

// Milliseconds of processor time that a training step on 4 sequences takes on one thread: the median of so many, after
// one that does not count.
double step_time(const Kind& kind, std::int64_t width, std::int64_t distance, int repetitions);

// b in y ≈ a·xᵇ, which is a straight line through the logarithms: the best one by least squares.
double exponent(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace regard::race

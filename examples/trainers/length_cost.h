#pragma once

#include "examples/plot/figure.h"
#include "examples/trainers/length_claims.h"

#include <cstdint>
#include <vector>

// What fused and composed attention cost by length: n queries look at n keys, by dot products of 64 features, in one
// head. Composed attention holds a number for each of the n² pairs; fused attention goes through them tile by tile.
namespace regard::length_cost {

constexpr std::int64_t features = 64;

// The lengths ascend; composed attention is measured up to `longest_composed` of them.
struct Lengths {
  std::vector<double> all;
  double longest_composed;
};

// Times are medians of processor time on one thread; the four kinds take turns. Memory is the most that the library
// holds at once beside queries, keys and values: it is the same in every run.
Costs measure(const Lengths& lengths);

// The largest difference between their outputs, for queries and keys of variance 1.
double difference_of_outputs(std::int64_t length);

// Time and memory, with lines that grow with n and with n² for the eye.
plot::Figure figure(const Costs& costs);

}  // namespace regard::length_cost

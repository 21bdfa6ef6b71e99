#pragma once

#include "examples/plot/figure.h"
#include "examples/trainers/regression.h"
#include "examples/trainers/regression_claims.h"

#include <vector>

// The pictures of one run of 06. Each estimator has one colour in all of them.
namespace regard::regression {

plot::Color color_of(int estimator);  // 2 to 4: c to e

plot::Figure fits(Experiment& ex);
plot::Figure weights(Experiment& ex);
plot::Figure losses(Experiment& ex);

std::vector<double> keys_seen_by_queries(Experiment& ex);  // b to e: of many queries, evenly spaced
std::vector<Losses> losses_of(const Experiment& ex);

// A corner of all weights: queries at x up to 5, keys at x up to 5.5. Keys in the same bin stand in one column, and
// their weights are added.
inline constexpr double last_query = 5, last_key = 5.5, bin = 0.25;
Tensor corner_queries();
Tensor in_bins(const Tensor& weights, const Tensor& x);  // of such queries, (Lq, n) → (Lq, bins)
plot::HeatmapOptions corner_options(const Units& units);
double least_drawn(Experiment& ex);  // of the weights of a query

}  // namespace regard::regression

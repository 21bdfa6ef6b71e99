#pragma once

#include "nn/tools/draw/layered.h"

#include <vector>

namespace regard {

// Where the middles of things that stand in a row come to be: each as near as can be to where it wants to be, wants[i],
// with least[i] or more between the middles of i and i + 1. Σ weight·(x − wants)² is the smallest that there is.
std::vector<double> spread(const std::vector<double>& wants, const std::vector<double>& weights,
                           const std::vector<double>& least);

// The x of the middle of each item of a layered graph, for items of these widths. Items want to stand below and above
// what they are connected with; lines that go on through many rows want it most, and so are straight. A line may begin
// beside the middle of its first item, and end beside the middle of its last one.
std::vector<double> middles_of(const Layered& graph, const std::vector<double>& widths,
                               const std::vector<double>& begins, const std::vector<double>& ends);

}  // namespace regard

#pragma once

#include "autograd/gradcheck/bisect/recorded_run.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace regard::bisecting {

// How fast tensors move with t at t = 0: the slopes over steps of h and h/2, put together so that the bend cancels.
std::vector<Tensor> speeds(const std::function<std::vector<Tensor>(double t)>& at);

// All derivatives of the result y of an operation with respect to one of its inputs x: ∂y[n]/∂x[m] stands in row m and
// column n. A gradient is ∂x[m] = Σₙ g[n]·∂y[n]/∂x[m], so this table says for every part of a gradient whether it is
// right. Where nothing can be measured, as at an infinity, both are 0.
struct Derivatives {
  Shape x, y;
  std::size_t input = 0;  // the number of x among the inputs of the operation
  Tensor measured = {};
  Tensor by_rule = {};  // what the rule returns for gradients that are 1 at n and else 0
};

// A table has at most so many rows, one for each element of x, and so many columns.
inline constexpr std::int64_t most_rows = 512, most_columns = 4096;
bool are_small_enough(const RecordedRun& run, std::size_t k);

// Of operation k, one for each of its operands.
std::vector<Derivatives> derivatives(const RecordedRun& run, std::size_t k);

// The same by the rule alone, as if it saw the input at `other` transposed.
std::vector<Tensor> by_rule_with_transposed(const RecordedRun& run, std::size_t k, std::size_t other);

double largest(const Tensor& a);  // of the absolute values; NaN if there is one

inline constexpr double tolerance_of_fits = 1e-5;  // what measuring costs

// Are they the same, up to this part of the largest number?
bool agree(const Tensor& a, const Tensor& b, double tolerance = tolerance_of_fits);

// The c for which b = c·a, if there is one.
std::optional<double> ratio(const Tensor& a, const Tensor& b, double tolerance = tolerance_of_fits);

}  // namespace regard::bisecting

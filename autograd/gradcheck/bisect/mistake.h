#pragma once

#include "autograd/gradcheck/bisect/bisect.h"
#include "autograd/gradcheck/bisect/recorded_run.h"

#include <optional>
#include <string>
#include <vector>

namespace regard::bisecting {

// All derivatives of the result y of an operation with respect to one of its operands x: ∂y[n]/∂x[m] stands in row m
// and column n. A gradient is ∂x[m] = Σₙ g[n]·∂y[n]/∂x[m], so this table says for every part of a gradient whether it
// is right. Where nothing can be measured, as at an infinity, both are 0.
struct Derivatives {
  Shape x, y;
  std::size_t input = 0;  // the number of x among the inputs of the operation
  Tensor measured = {};
  Tensor by_rule = {};  // what the rule returns for gradients that are 1 at n and else 0
};

// Of an operation, one for each of its operands. Of one with many elements none.
std::vector<Derivatives> derivatives(const RecordedRun& run, std::size_t operation);

// What is wrong with the gradient of the operand p.
Mistake likely_mistake(const RecordedRun& run, std::size_t operation, const std::vector<Derivatives>& all,
                       std::size_t p);

// "by the rule 3, measured 2", with more digits where six do not show the difference.
std::string both(double by_rule, double measured);

double largest(const Tensor& a);  // of the absolute values; NaN if there is one

inline constexpr double tolerance_of_fits = 1e-5;  // what measuring costs

bool agree(const Tensor& a, const Tensor& b);                   // up to this part of the largest number
std::optional<double> ratio(const Tensor& a, const Tensor& b);  // the c for which b = c·a, if there is one

}  // namespace regard::bisecting

#pragma once

#include "autograd/gradcheck/fit.h"
#include "autograd/gradcheck/gradcheck.h"

namespace regard::gradchecks {

// A function of tensors with several results, each weighted by a cotangent of its shape.
using Functions = std::function<std::vector<Variable>(const std::vector<Variable>& inputs)>;

// How many times wider than the first steps the closer look measures, at most: to a tenth, where |x| ≤ 1.
inline constexpr double widest_look = 16384;

struct Slopes {
  double central = 0;
  double left = 0, right = 0;  // over a wider step than `central` where there may be a kink
  double noise = 0;            // what rounding of the results may have done to `central`
  bool may_have_kink = false;  // left and right do not approach each other as the step gets smaller
};

// Slopes over a wider step, with the noise that was found in them.
struct FittedSlopes {
  FittedSlope central;
  FittedSlope half_gap;  // half of how much the slope to the right is more than that to the left
  bool moves = false;    // else all samples to the right are those to the left
};

// Numeric slopes of L = Σ c·f at one element of one input.
class SlopeMeter {
 public:
  // The inputs are f64 or i64, the cotangents have the shapes of the results.
  SlopeMeter(const Functions& f, std::vector<Tensor> inputs, std::vector<Tensor> cotangents, double eps);

  // Four evaluations: from the slopes over two small steps. If there may be a kink, some more.
  Slopes at(std::size_t input, std::int64_t index) const;

  // Twenty-six or more: from samples on both sides, up to `widening` times the step of at(), with loose rounding. Some
  // rounding does not jump from sample to sample by itself. In softmax's g − Σ g·w, where one weight w is all but 1,
  // the sum is off in its last digit, and by the same at all samples: they lie on a smooth curve, and have its slope.
  FittedSlopes fitted(std::size_t input, std::int64_t index, double widening) const;

 private:
  std::vector<Tensor> evaluate(const std::vector<Tensor>& inputs) const;
  // The slopes over one step. Differences are taken result by result before they are summed: results that did not move
  // add no rounding.
  Slopes over(std::size_t input, std::int64_t index, double x, double step) const;
  using Weights = std::vector<std::vector<double>>;  // of each element of each result
  Weights weights_of_dependent(std::size_t input, std::int64_t index, double widening) const;
  Weights weights_of_changed(std::size_t input, std::int64_t index, double widening) const;
  double rise_to(std::size_t input, std::int64_t index, double to, const Weights& weights) const;  // L(to) − L(x)
  std::vector<Tensor> moved(std::size_t input, std::int64_t index, double to) const;
  double element(std::size_t input, std::int64_t index) const;
  double step_at(double x) const;

  const Functions& f_;
  std::vector<Tensor> inputs_, cotangents_, outputs_;
  double eps_;
};

}  // namespace regard::gradchecks

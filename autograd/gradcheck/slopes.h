#pragma once

#include "autograd/gradcheck/fit.h"
#include "autograd/gradcheck/gradcheck.h"

namespace regard::gradchecks {

// A function of tensors with several results, each weighted by a cotangent of its shape.
using Functions = std::function<std::vector<Variable>(const std::vector<Variable>& inputs)>;

struct Slopes {
  double central = 0, left = 0, right = 0;
  double noise = 0;            // what rounding of the results may have done to `central`
  bool may_have_kink = false;  // left and right do not approach each other as the step gets smaller
};

// Slopes over a wider step, with the noise that was found in them.
struct FittedSlopes {
  FittedSlope central;
  FittedSlope half_gap;  // half of how much the slope to the right is more than that to the left
  bool moves = false;    // else all samples are the same to the last bit
};

// Numeric slopes of L = Σ c·f at one element of one input.
class SlopeMeter {
 public:
  // The inputs are f64 or i64, the cotangents have the shapes of the results.
  SlopeMeter(const Functions& f, std::vector<Tensor> inputs, std::vector<Tensor> cotangents, double eps);

  // Four evaluations: from the slopes over two small steps.
  Slopes at(std::size_t input, std::int64_t index) const;

  // Twenty-four: from samples on both sides, up to `widening` times the step of at().
  FittedSlopes fitted(std::size_t input, std::int64_t index, double widening) const;

 private:
  std::vector<Tensor> evaluate(const std::vector<Tensor>& inputs) const;
  // The slopes over one step. Differences are taken result by result before they are summed: results that did not move
  // add no rounding.
  Slopes over(std::size_t input, std::int64_t index, double x, double step) const;
  // L(x + to) − L(x), and how large the results are that moved.
  struct Rise {
    double rise = 0, size = 0;
  };
  Rise rise_to(std::size_t input, std::int64_t index, double to) const;
  std::vector<Tensor> moved(std::size_t input, std::int64_t index, double to) const;
  double element(std::size_t input, std::int64_t index) const;
  double step_at(double x) const;

  const Functions& f_;
  std::vector<Tensor> inputs_, cotangents_, outputs_;
  double eps_;
};

}  // namespace regard::gradchecks

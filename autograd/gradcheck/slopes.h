#pragma once

#include "autograd/gradcheck/gradcheck.h"

namespace regard::gradchecks {

// A function of tensors with several results, each weighted by a cotangent of its shape.
using Functions = std::function<std::vector<Variable>(const std::vector<Variable>& inputs)>;

struct Slopes {
  double central = 0, left = 0, right = 0;
  double noise = 0;     // what rounding of f may have done to `central`
  bool kinked = false;  // left and right do not approach each other as the step gets smaller
};

// Numeric slopes of L = Σ c·f at one element of one input.
class SlopeMeter {
 public:
  // The inputs are f64 or i64, the cotangents have the shapes of the results.
  SlopeMeter(const Functions& f, std::vector<Tensor> inputs, std::vector<Tensor> cotangents, double eps);
  Slopes at(std::size_t input, std::int64_t index) const;

 private:
  std::vector<Tensor> evaluate(const std::vector<Tensor>& inputs) const;
  // The slopes over one step. Differences are taken result by result before they are summed: results that did not move
  // add no rounding.
  Slopes over(std::size_t input, std::int64_t index, double x, double step) const;
  std::vector<Tensor> moved(std::size_t input, std::int64_t index, double to) const;

  const Functions& f_;
  std::vector<Tensor> inputs_, cotangents_, outputs_;
  double eps_;
};

}  // namespace regard::gradchecks

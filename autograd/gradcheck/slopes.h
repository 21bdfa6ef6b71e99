#pragma once

#include "autograd/gradcheck/fit.h"
#include "autograd/gradcheck/gradcheck.h"
#include "tensor/random/generator.h"

namespace regard::gradchecks {

// A function of tensors with several results, each weighted by a cotangent of its shape.
using Functions = std::function<std::vector<Variable>(const std::vector<Variable>& inputs)>;

// L = Σ c·f. The inputs are f64 or i64, the cotangents c have the shapes of the results.
struct Weighted {
  Functions f;
  std::vector<Tensor> inputs, cotangents;
};
std::vector<Variable> leaves_of(const std::vector<Tensor>& inputs);  // a gradient is wanted of those that are f64
std::vector<Tensor> results(const Functions& f, const std::vector<Tensor>& inputs);

// Random numbers in ±[½, 1½], f64. As none is small, an error in any output shows.
Tensor random_cotangent(const Shape& shape, Generator& generator);

// How many times wider than the first step a step may be: it is a tenth then, where |x| ≤ 1.
inline constexpr double widest_look = 16384;

struct Slopes {
  double central = 0;
  double half_gap = 0;  // half of how much the slope to the right is more than that to the left
  double noise = 0;     // what rounding of the results may have done to `central`
};

// Slopes over a wider step, with the noise that was found in them.
struct FittedSlopes {
  FittedSlope central, half_gap;
  bool moves = false;  // else L(x + t) = L(x − t) in all samples: there is no slope
};

// Numeric slopes of L along one element of one input.
class SlopeMeter {
 public:
  SlopeMeter(const Weighted& l, const std::vector<Tensor>& results, std::size_t input, std::int64_t index, double eps);

  // Four evaluations: from the slopes over two small steps. If there may be a kink, some more, and the gap is that over
  // a wider step. Else it is 0.
  Slopes first() const;

  // Twenty-six or more: from samples on both sides, up to `widening` times the step of first(), with loose rounding.
  // Some rounding does not jump from sample to sample by itself. In softmax's g − Σ g·w, where one weight w is all but
  // 1, the sum is off in its last digit, and by the same at all samples: they lie on a smooth curve, and have its
  // slope.
  FittedSlopes fitted(double widening) const;

 private:
  using Tensors = std::vector<Tensor>;
  Tensors results_at(double to) const;
  Slopes over(double step) const;
  Tensors weights_of_changed(const Tensors& upper, const Tensors& lower) const;
  Tensors weights_of_dependent(double widening) const;
  double rise(const Tensors& there, const Tensors& weights) const;  // how much L is more than at x

  const Weighted& l_;
  const std::vector<Tensor>& results_;
  std::size_t input_;
  std::int64_t index_;
  double x_, step_;
};

}  // namespace regard::gradchecks

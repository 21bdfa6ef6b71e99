// 05. Weights of neighbours · grade 1 · chapter 01_attention_as_regression
//
// A thermometer stands at each of three places on a line, at 0, 1 and 2 km. You are at ½ km, and want to guess how warm
// it is there: near thermometers should count more than far ones. How much each of them counts is its share of all
// kernels,
//
//   αᵢ = K(x − xᵢ)/Σₙ K(x − xₙ)        K(u) = e^(−u²w²/2)
//
// The function below is called for you with the query x, the places, and w. It returns the kernels; their sum is not 1.
// And then there is somebody at 100 km who asks the same.
//
// Hint: The chapter says that these weights are softmax of the scores −(x − xᵢ)²w²/2. The library's softmax also works
// where all kernels are so small that a computer holds 0 for them.
#include "examples/exercises/exercise.h"
#include "nn/all.h"

#include <cmath>

using namespace regard;

// TODO: return the weights of the places (n), of sum 1. Use whatever the library has.
Tensor neighbour_weights(double x, const Tensor& places, double w) {
  const Tensor distance = x - places;
  return exp(square(distance) * (-w * w / 2));
}

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const Tensor places = tensor({0, 1, 2}, DType::f64);
    const double w = std::sqrt(2 * std::log(2));  // so that the kernel is 2^(−u²)
    const Tensor u2 = square(0.5 - places), kernels = exp(u2 * (-w * w / 2));
    exercises::expect(
        "at ½ km, with w² = 2 ln 2", neighbour_weights(0.5, places, w), tensor({4, 4, 1}, DType::f64) / 9,
        {{kernels, "These are the kernels. A weight is the share of its kernel in the sum of all."},
         {u2 * (-w * w / 2), "These are the scores. Weights are softmax of them."},
         {softmax(u2 * (w * w / 2), 0), "A sign: the farther a place is, the more it counts."},
         {softmax(u2 * (-w / 2), 0), "In the kernel it is w², not w."},
         {softmax(u2 * (-w * w), 0), "The factor ½ is missing in the kernel."},
         {softmax(u2 * (-1 / (w * w) / 2), 0), "w is not the width, it is 1/width: a larger w is a narrower kernel."},
         {softmax(-sqrt(u2) * (w * w / 2), 0), "The distance is squared in the kernel."},
         {softmax(kernels, 0), "Kernels are powers already. Softmax takes powers itself, so it wants the scores."},
         {kernels / 3, "The sum of the kernels is not 3, though there are three of them."}});
    exercises::expect("at 2 km, with w² = 2 ln 2", neighbour_weights(2, places, w),
                      tensor({0.04, 0.32, 0.64}, DType::f64));
    exercises::expect(
        "at 100 km, with w² = 2 ln 2", neighbour_weights(100, places, w), tensor({0, 0, 1}, DType::f64),
        {{full({3}, NAN, DType::f64),
          "Near the places all is right. Here the largest kernel is 2^(−98²), for which a computer holds 0, and 0/0 is "
          "not a number. Only differences of scores count: let softmax make weights of them."},
         {zeros({3}, DType::f64), "Near the places all is right. But even far away somebody is nearest: the sum is 1."},
         {full({3}, 1.0 / 3, DType::f64), "Near the places all is right. Far away, one of them is still nearer."}});
  });
}

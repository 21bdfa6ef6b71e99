// 06. Leave one out · grade 2 · chapter 01_attention_as_regression
//
// Each of n points is to be predicted from the others: what would we say about it, had we not measured it? The function
// below predicts from all points. So each looks at itself, and most of all, since its distance is 0.
//
// Somebody has tried to mend it by setting the score of each point with itself to 0. Nothing has changed. Do you see
// why? Somebody else has set the weight to 0, after softmax. Now all predictions are too near to 0.
//
// Hint: What is left out must be in no sum. masked_softmax(scores, 1, keep), of tensor/fused/masked_softmax.h, is
// softmax over the places where keep is 1. The table of a point and itself is 0 where two numbers of places are equal,
// and eye(n, DType::f64) has 1 there.
#include "examples/exercises/exercise.h"
#include "nn/all.h"

#include <cmath>

using namespace regard;

// TODO: return the prediction (n) at each of the places x (n), by all points but itself. y (n) is what was measured
// there. Use whatever the library has but nn::NadarayaWatson, which is what checks it.
Tensor predictions(const Tensor& x, const Tensor& y, double w) {
  const Tensor scores = square(unsqueeze(x, 1) - unsqueeze(x, 0)) * (-w * w / 2);  // row q: point q as a query
  return matmul(softmax(scores, -1), y);
}

// ---- This is what checks it. ----

Tensor by_library(const Tensor& x, const Tensor& y, double w, nn::RegressionTraining training) {
  return squeeze(nn::NadarayaWatson(nn::GaussianKernel::fixed(1 / w), x, y).fitted(training).output.value(), 1);
}

int main() {
  return exercises::exercise([] {
    const Tensor x = tensor({0, 1, 2}, DType::f64), y = tensor({0, 6, 6}, DType::f64);
    const double w = std::sqrt(2 * std::log(2));
    const auto row = [](const Nested& numbers) { return tensor(numbers, DType::f64); };
    exercises::expect(
        "at 0, 1, 2, where 0, 6, 6 was measured", predictions(x, y, w), row({6, 3, 16.0 / 3}),
        {{row({2.16, 4.5, 5.76}),
          "Each point still sees itself. (Setting its score to 0 does not help: it is 0 already, and that is the "
          "largest score that there is.)"},
         {row({2.16, 1.5, 1.92}),
          "No point looks at itself. But the weights of the others are what they were, so their sum is less than 1."},
         {row({0, 6, 6}), "Each point sees only itself. The mask is the wrong way round."},
         {row({NAN, NAN, NAN}),
          "A sum has met something that is not a number. 0·∞ is one such thing: who multiplies a table of 0 and 1 by "
          "−∞ gets it at each 0."},
         {row({6, 3, 3}), "Here the others all count alike. Near ones should count more."}});
    Generator random(6);
    const Tensor places = uniform({7}, random, 0, 3, DType::f64), values = normal({7}, random, 0, 1, DType::f64);
    exercises::expect("at seven points by chance", predictions(places, values, 2),
                      by_library(places, values, 2, nn::RegressionTraining::leave_one_out));
    exercises::expect(
        "at 0, 1, 2 with a narrow kernel, w = 100", predictions(x, y, 100), row({6, 3, 6}),
        {{row({NAN, NAN, NAN}),
          "Wider kernels work. Here the kernels of all others are so small that a computer holds 0, and so is their "
          "sum: 0/0 is not a number. Leave the own point out first, then let softmax make weights of the other "
          "scores."},
         {row({0, 6, 6}),
          "Wider kernels work. Here the scores of the others are −5000 and below, and what you have subtracted from "
          "the own score is less than that. No number is large enough for all cases: leave the point out."},
         {row({0, 0, 0}),
          "Wider kernels work. Here the own point has all the weight after softmax, and nothing is left for the "
          "others. Leave it out before."}});
  });
}

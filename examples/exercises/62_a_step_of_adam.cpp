// 62. A step of Adam · grade 1 · chapter 11_training
//
// You have read the letters of Adam: two running means, two corrections, one division. Most models of today were
// trained with these few lines. So write them once yourself, for a single number. Below stands a step that many have
// written, and trained with. The loss falls, and nothing looks wrong. But the first step is three times as long as it
// should be.
//
// Hint: Both means begin with 0, so both are too small at first. After t steps the factors of the gradients in m have
// the sum 1 − β₁ᵗ, and those of the squares in v another one. What is divided by these sums is a copy, for this step
// alone; the means go on as they are.
#include "examples/exercises/exercise.h"
#include "tensor/create.h"

#include <cmath>
#include <vector>

using namespace regard;

// What Adam remembers of a number.
struct Means {
  double m = 0, v = 0;
};

// TODO: step t = 1, 2, … with the gradient g. Renew both means, and return what becomes of the number w. β₁ is 0.9, β₂
// is 0.999, and ε is 1e-8.
double adam(double w, double g, double t, double rate, Means& means) {
  means.m = 0.9 * means.m + 0.1 * g;
  means.v = 0.999 * means.v + 0.001 * g * g;
  return w - rate * means.m / (std::sqrt(means.v) + 1e-8);
}

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const auto numbers = [](const std::vector<double>& row) { return tensor(row, {std::ssize(row)}, DType::f64); };
    Means means;
    std::vector<double> path;
    for (const double g : {2.0, -1.0, 0.0})
      path.push_back(adam(path.empty() ? 1 : path.back(), g, static_cast<double>(path.size() + 1), 0.1, means));
    exercises::expect(
        "w = 1 after the gradients 2, −1 and 0, with the rate 0.1", numbers(path),
        numbers({0.9, 0.8733663, 0.85277837}),
        {{numbers({0.68377228, 0.57058993, 0.46867485}),
          "That is without both corrections. The first m is a tenth of g, and the root of the first v a 32nd of it."},
         {numbers({-2.16227716, -2.75797374, -3.13404417}), "m is corrected. v begins with 0, too."},
         {numbers({0.99, 0.9849396, 0.97936027}), "v is corrected. m begins with 0, too."},
         {numbers({0.9, 0.87999057, 0.87635085}),
          "The first step is right. Then the corrected means have taken the places of the means."},
         {numbers({0.9, 0.86420859, 0.83198021}),
          "The first step is right. After two steps the factors in m are 0.09 and 0.1: their sum has a power of β₁."},
         {numbers({0.92558632, 0.90272228, 0.88399345}), "The first step has t = 1 already."},
         {numbers({0.95, 0.93315284, 0.91719911}), "v is a mean of squares. Where is its root?"},
         {numbers({0.99683772, 0.99564692, 0.99451984}), "Correct v before you take the root."},
         {numbers({0.9, 0.97261853, 1.20018972}), "The means forget at once. Which part of the old mean stays?"},
         {numbers({1.1, 1.1266337, 1.14722163}), "This is uphill."}});
    Means other;
    exercises::expect("w = 1 after a gradient of 1e-8", adam(1, 1e-8, 1, 0.1, other), 0.95,
                      {{0.99999, "ε stands under the root. It is added to the root."},
                       {0.99693466, "ε is added to the corrected root, and not to the other one."},
                       {0.9, "ε is missing. A gradient of 0 in the first step would be 0/0."}});
  });
}

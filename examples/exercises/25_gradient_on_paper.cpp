// 25. A gradient on paper · grade 2 · chapter 05_gradients_on_paper
//
// You have read how the gradient of a query is found: from the output to the weights, to the scores, to the query. Have
// you done it once? Then you will find each mistake of a program faster. So take a pencil. Birds love singing, without
// a mask: birds has the weights 0.4, 0.4, 0.2 and puts out (3.6, 7.2). It is wanted to put out (6, 12), and the loss is
// the sum of both squared differences. The values are (0, 12), (6, 0), (6, 12), the keys (1, 0), (0, 1), (1, 1), and a
// score is q·k/√2.
//
// Hint: ∂o = 2·(o − wanted), ∂α = ∂o·v for each value, ∂s = α·(∂α − their mean), ∂q = Σ ∂s·k/√2. That makes two
// numbers, three, three, and two. The three of ∂s add up to 0.
#include "examples/exercises/exercise.h"

#include <cmath>

using namespace regard;

// TODO: type three numbers of it, to four digits or as terms such as -3 / std::sqrt(2):
const double mean_of_d_alpha = 0;  // the mean of the three numbers of ∂α, with the weights of birds
const double d_score_of_love = 0;  // the second number of ∂s
const double d_q = 0;              // the first feature of ∂q

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    // The weights of birds, its ∂o and ∂α are (0.4, 0.4, 0.2), (−4.8, −9.6) and (−115.2, −28.8, −144).
    exercises::expect_typed(
        "the mean of ∂α", mean_of_d_alpha, -86.4,
        {{0, "Begin with ∂o, the slope of the loss with each of the two features of the output."},
         {-43.2, "It is half of that: the slope of a square is twice the difference."},
         {86.4,
          "The sign: the loss grows with the output where it is above what is wanted. Here it is below, in both "
          "features, so ∂o is negative."},
         {-96, "This is the plain mean. A mean with weights: each number times its weight, added up."},
         {-288, "This is the sum of ∂α. For a mean with weights multiply each number by its weight."},
         {-28.8, "If you have divided by 3: the weights have the sum 1 already. (Or is this ∂α of love?)"}});
    exercises::expect_typed(
        "∂s of love", d_score_of_love, 23.04,
        {{57.6, "This is ∂α less the mean. A score that grows by h gives its weight only α·h."},
         {-11.52, "This is the first number of ∂s (or the third). Love is the second key: ∂α is −28.8."},
         {-23.04, "The sign: love does better than the mean (−28.8 is above −86.4), so it is positive."},
         {11.52, "This has the weight 0.2. It is singing that has 0.2; love has 0.4."},
         {-11.52 / 2, "Check ∂α of love: its value is (6, 0)."}});
    exercises::expect_typed(
        "the first feature of ∂q", d_q, -23.04 / std::sqrt(2),
        {{-23.04, "The score is q·k/√2: its slope with q is k/√2."},
         {-23.04 * std::sqrt(2), "Divide by √2; you have multiplied."},
         {11.52 / std::sqrt(2),
          "This is the second feature. The first one adds up the first features of the keys, each times its ∂s."},
         {11.52, "This is the second feature, and without 1/√2."},
         {-11.52 / std::sqrt(2), "Birds and singing have a first feature of 1: both of them count."},
         {23.04 / std::sqrt(2), "The sign: the first keys have ∂s of −11.52 each."},
         {69.12 / std::sqrt(2), "You have multiplied ∂s by values. A score is made of a query and a key."},
         {0, "The three ∂s add up to 0, but each is multiplied by its own key: 1, 0 and 1 in the first feature."}});
  });
}

// 11. Why √D, and when not · grade 2 · chapter 02_softmax_and_scores
//
// "Divide by √D", says the recipe, and most people obey. The chapter says why: D products, each of variance 1, make a
// sum of variance D. So it holds for features of variance 1 that have nothing to do with each other. Two models come to
// you in which that is not so.
//
// In the first the features of queries and keys have been made with other variances than 1. Work out on paper which
// scale brings the variance of the scores to 1.
//
// In the second nobody knows anything of the features. They may depend on each other. In the worst case all D features
// of a vector are the same number, and then even √D is much too little. There you have to measure.
//
// Hint: The variance of one product is the mean of q²·k², which is the mean of q² times the mean of k². And a scale of
// c makes the variance c² times as large.
#include "examples/exercises/exercise.h"
#include "nn/all.h"

#include <cmath>

using namespace regard;

// TODO: return by what q·k must be multiplied, so that the scores have the variance 1, for D independent features of
// mean 0, which have the variance of_q in the queries and of_k in the keys.
double scale_on_paper(int features, double of_q, double of_k) { return 1 / std::sqrt(features); }

// And the same for queries q (…, Lq, D) and keys k (…, Lk, D) as they are: compute all their scores and look. The
// scores have the mean 0. Use whatever the library has.
double scale_by_measuring(const Tensor& q, const Tensor& k) { return scale_on_paper(q.size(-1), 1, 1); }

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    exercises::expect(
        "64 features, variances ¼ and ¼", scale_on_paper(64, 0.25, 0.25), 0.5,
        {{0.125, "This is 1/√D. With the variances ¼ a single product has the variance 1/16, not 1."},
         {0.25, "Is it 1/(D·¼·¼), without the root? Or is one of the two ¼ missing?"},
         {1 / std::sqrt(32), "You have added the two variances. They multiply."},
         {2, "This is the usual size of the scores. To bring it to 1, divide by it."},
         {4, "This is the variance of the scores. How large are they usually, and what brings that to 1?"},
         {1.0 / 32, "The variances have gone the wrong way: small features need a larger scale."}});
    exercises::expect(
        "9 features, variances 4 and 1", scale_on_paper(9, 4, 1), 1.0 / 6,
        {{1.0 / 3, "This is 1/√D alone."},
         {1.0 / 12, "Is one of the variances counted twice? That of the queries is 4, that of the keys 1."},
         {1.0 / 3 / std::sqrt(2.5), "You have taken the mean of the two variances. They multiply."},
         {1.0 / 3 / std::sqrt(5), "You have added the two variances. They multiply."},
         {2.0 / 3, "The variances have gone the wrong way: large features need a smaller scale."}});
    Generator random(1);
    const auto signs = [&](const Shape& shape) { return bernoulli(shape, random, 0.5, 2, DType::f64) - 1; };
    const Tensor q = signs({400, 1, 64}), k = signs({400, 20, 64});
    exercises::expect("measured: 64 independent features, each 1 or −1", scale_by_measuring(q, k), 0.125,
                      {{8, "This is the usual size of the scores. To bring it to 1, divide by it."},
                       {64, "This is the variance of the scores."},
                       {1.0 / 64, "You have divided by the variance. The usual size is its root."},
                       {0.125 * std::sqrt(std::acos(-1) / 2),
                        "Have you taken the mean of |score|? The variance is the mean of the square."}},
                      0.003);
    const Tensor copies_q = expand(slice(q, -1, 0, 1), q.shape()), copies_k = expand(slice(k, -1, 0, 1), k.shape());
    exercises::expect("measured: 64 features that are all the same, 1 or −1", scale_by_measuring(copies_q, copies_k),
                      1.0 / 64,
                      {{0.125,
                        "This is 1/√D. But each score is 64 or −64 here: nothing cancels, so the size grows like D. Do "
                        "not use the number of features; compute the scores of these queries and keys."},
                       {1.0 / 4096, "You have divided by the variance. The usual size is its root."}},
                      0.003);
  });
}

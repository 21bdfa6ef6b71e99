// 08. A softmax that does not overflow · grade 1 · chapter 02_softmax_and_scores
//
// This softmax passes every test that you can think of on paper. It is put into a model, the model trains for a day,
// its queries and keys become longer, and one score passes 709. From then on every number of the model is NaN. Nobody
// looks at softmax, since it was tested.
//
// "Not too large" in the chapter says what saves it. But there are two more traps: a row of which all scores are very
// small, and a table in which the rows differ much.
//
// Hint: Before powers are taken, the largest score of each row should be 0. max(s, −1, keepdim) gives (rows, 1), so
// that it can be subtracted from s (rows, keys).
#include "examples/exercises/exercise.h"
#include "nn/all.h"

#include <cmath>

using namespace regard;

// TODO: return the weights of each row of s (rows, keys). Use whatever the library has but its softmax functions.
Tensor safe_softmax(const Tensor& s) { return exp(s) / sum(exp(s), -1, keepdim); }

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const double one = std::log(2);
    const Tensor s = one * tensor({{-1, -1, -2}, {1, 0, 1}, {0, -1, -1}}, DType::f64);
    const Tensor right = tensor({{0.4, 0.4, 0.2}, {0.4, 0.2, 0.4}, {0.5, 0.25, 0.25}}, DType::f64);
    const Tensor nothing = full({3, 3}, NAN, DType::f64), powers = exp(s - max(s, -1, keepdim));
    exercises::expect(
        "of the scores of birds love singing", safe_softmax(s), right,
        {{powers, "These are powers, of which the largest is 1 in each row. Divide them by their sum."},
         {exp(s) / sum(exp(s)), "You have divided by the sum of the whole table. Each row has its own."},
         {exp(s) / sum(exp(s), 0, keepdim), "Here the columns have the sum 1. It should be the rows."},
         {powers / sum(exp(s), -1, keepdim),
          "The largest was subtracted above, but not in the sum below. It must be the same powers."},
         {exp(s) / sum(powers, -1, keepdim),
          "The largest was subtracted in the sum below, but not above. It must be the same powers."},
         {powers / sum(powers), "The sum is that of the whole table. Each row has its own."},
         {exp(s - max(s, -1)) / sum(exp(s - max(s, -1)), -1, keepdim),
          "max(s, −1) has the shape (3), so it is a row: each column lost another number. With keepdim it is a "
          "column."},
         {powers / sum(powers, -1),
          "The sum has the shape (3), so it is a row: each column was divided by another one. With keepdim it is a "
          "column."},
         {softmax(s - max(s, 0, keepdim), -1),
          "In each column another number was subtracted. It must be the same for a whole row."},
         {nothing, "Not a number. Is something divided by 0?"}});
    exercises::expect("with 1000 added to all scores", safe_softmax(s + 1000), right,
                      {{nothing,
                        "e^1000 is ∞ for a computer, and ∞/∞ is not a number. Only differences of scores count, so the "
                        "same number may be subtracted from all of a row. Which one?"},
                       {full({3, 3}, 1.0 / 3, DType::f64),
                        "Too large scores have been cut off, and so all have become the same. Their differences must "
                        "stay: subtract the same number from all of a row."}});
    exercises::expect("with 1000 subtracted from all scores", safe_softmax(s - 1000), right,
                      {{nothing,
                        "Large scores work. But e^−1000 is 0 for a computer, for all keys, and 0/0 is not a number. "
                        "Subtract the largest score itself, also if it is negative."},
                       {full({3, 3}, 0, DType::f64),
                        "Large scores work. But here all powers are 0. Subtract the largest score itself, also if it "
                        "is negative."}});
    const Tensor apart = tensor({{1000}, {0}, {-1000}}, DType::f64);
    exercises::expect(
        "with 1000, 0 and −1000 added to the three rows", safe_softmax(s + apart), right,
        {{where(equal(apart, 1000), right, NAN),
          "The first row is right. The others were made small by the largest number of the whole table: each row must "
          "subtract its own."}});
    const Tensor far = tensor({{3000, 0, 0}, {0, 0, -3000}}, DType::f64);
    exercises::expect(
        "of the scores 3000, 0, 0 and 0, 0, −3000", safe_softmax(far), tensor({{1, 0, 0}, {0.5, 0.5, 0}}, DType::f64),
        {{tensor({{NAN, 0, 0}, {NAN, NAN, 0}}, DType::f64),
          "Where scores are near each other it works. Here what you subtract leaves a score above 709. Only the "
          "largest leaves none."}});
  });
}

// 20. Broken attention 4: too little · grade 2 · chapter 04_masks
//
// The test with tens once more: three words have the value (10, 10), and a mean of tens is ten. With the attention
// below the first word puts out (4, 4), the second one (6, 6), and only the last one (10, 10). No word looks at a later
// one, all shapes fit, and a model trains with it: the next layer learns to make up for outputs that are too small at
// the beginning of each text.
//
// Where has the rest gone? Look at which keys take part in which sum.
//
// Hint: Print sum(weights * visible, -1). To divide by these sums is one way to get them right, but not the best: what
// if the score of a hidden key is larger than all others by 1000? A hidden key must be gone before the largest is
// taken.
#include "examples/book/example.h"
#include "examples/exercises/exercise.h"
#include "tensor/all.h"

#include <cmath>

using namespace regard;

// TODO: find the fault in this attention, and mend it. The table `visible` (Lq, Lk) is 1 where a query may see a key
// and 0 elsewhere; each query sees at least one key.
Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& visible) {
  const Tensor scores = matmul(q, transpose(k)) / std::sqrt(static_cast<double>(q.size(-1)));
  const Tensor powers = exp(scores - max(scores, -1, keepdim));
  const Tensor weights = powers / sum(powers, -1, keepdim);
  return matmul(weights * visible, v);
}

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const auto words = book::three_tokens();
    const Tensor q = words.q.value(), k = words.k.value(), v = words.v.value();
    const Tensor causal = book::numbers({{1, 0, 0}, {1, 1, 0}, {1, 1, 1}}), tens = book::numbers({10, 10});
    const Tensor scores = matmul(q, transpose(k)) / std::sqrt(2);

    const std::string wrong_way =
        "The last word may see all three words, and sees none: the mask is the wrong way round.";
    exercises::expect("attend(q, k, v, causal), all values (10, 10)", attend(q, k, expand(tens, {3, 2}), causal),
                      book::numbers({{10, 10}, {10, 10}, {10, 10}}),
                      {{book::numbers({{4, 4}, {6, 6}, {10, 10}}),
                        "0.4 of the weight has stayed with the visible keys of the first word, the rest was given to "
                        "hidden keys and then thrown away. Which keys does the sum in the division run over?"},
                       {book::numbers({{10, 10}, {10, 10}, {NAN, NAN}}), wrong_way},
                       {book::numbers({{10, 10}, {10, 10}, {0, 0}}), wrong_way}});
    exercises::expect("attend(q, k, v, causal), birds love singing", attend(q, k, v, causal),
                      book::numbers({{0, 12}, {2, 8}, {3, 9}}),
                      {{matmul(softmax(scores, -1), v), "Now nothing is hidden: each word sees all three."},
                       {matmul(softmax(scores * causal, -1), v),
                        "A score of 0 does not hide a key: its power is e⁰ = 1, so it gets a weight."},
                       {matmul(softmax(scores + causal, -1), v),
                        "To add 1 to the visible scores makes them larger, and hides nothing."}});
    exercises::expect("attend(q, k, v, causal), where the last key is (3000, 3000)",
                      attend(q, book::numbers({{1, 0}, {0, 1}, {3000, 3000}}), v, causal),
                      book::numbers({{0, 12}, {2, 8}, {2, 8}}),
                      {{book::numbers({{0, 12}, {NAN, NAN}, {2, 8}}),
                        "The second word does not see the last key, and yet that key spoils its output. Its score is "
                        "the largest, so the powers of all visible keys are e^(−2000), which is 0 here, and 0/0 is no "
                        "number. The largest score must be that of a visible key."}});
  });
}

// 18. Broken attention 2: it reads ahead · grade 2 · chapter 04_masks
//
// A model learns to predict the next word. Its loss in training is wonderful, smaller than anybody's. But when it
// writes, it stammers. Somebody changes the last word of a text and looks at what the model computes for the first one.
// It has moved. So the first word has seen the last one, and with it the answer.
//
// There is a mask, though, and it is right: tril makes a triangle of ones.
//
// Hint: Compute the row of birds on paper: the scores −ln 2, −ln 2, −2 ln 2, and what the mask does to each. By how
// much is the power of a hidden key smaller than it was? There is a table of such mistakes in the chapter.
#include "examples/exercises/exercise.h"
#include "nn/all.h"

#include <cmath>

using namespace regard;

// TODO: find the fault, and mend it. Use whatever the library has but nn::Attention and nn::Mask.
Variable attend(const Variable& q, const Variable& k, const Variable& v) {
  const Tensor keep = tril(ones({q.size(-2), k.size(-2)}, q.dtype()));  // 1: may be seen
  const Variable scores = matmul(q, transpose(k)) / std::sqrt(q.size(-1));
  const Variable weights = softmax(scores + keep, -1);
  return matmul(weights, v);
}

// ---- This is what checks it. ----

Tensor numbers(const Nested& rows) { return tensor(rows, DType::f64); }

int main() {
  return exercises::exercise([] {
    const Tensor q = std::sqrt(2) * std::log(2) * numbers({{-1, -1}, {1, 0}, {0, -1}});
    const Tensor k = numbers({{1, 0}, {0, 1}, {1, 1}}), v = numbers({{0, 12}, {6, 0}, {6, 12}});
    const Tensor scores = matmul(q, transpose(k)) / std::sqrt(2), keep = numbers({{1, 0, 0}, {1, 1, 0}, {1, 1, 1}});
    const auto out = [&](const Tensor& weights) { return matmul(weights, v); };
    exercises::expect(
        "the output of birds love singing", attend(q, k, v).value(), numbers({{0, 12}, {2, 8}, {3, 9}}),
        {{out(softmax(scores + keep, -1)),
          "What may be seen gets a score that is larger by 1. What may not be seen is seen all the same: its power is "
          "1/e of what it would be beside the others, not 0."},
         {out(softmax(scores * keep, -1)),
          "A hidden score is 0 now. But e⁰ is 1, so the key is seen, and not a little."},
         {out(softmax(scores, -1) * keep),
          "Hidden weights are 0 now. But it was too late: the others do not add up to 1."},
         {out(softmax(scores - keep, -1)), "The wrong way round, and still added: nothing is hidden."},
         {out(softmax(scores - keep * 1e9, -1)), "The wrong way round: keep is 1 for what may be seen."},
         {out(masked_softmax(scores, 1, 1 - keep)), "The wrong way round: keep is 1 for what may be seen."},
         {out(softmax(scores, -1)), "Now there is no mask at all."},
         {full({3, 2}, NAN, DType::f64),
          "Not a number. (1 − keep)·(−∞) is −∞ for what is hidden, but 0·∞ for what is not. Use where, or leave hidden "
          "pairs out of the sum: masked_softmax does."}});
    // Long queries and keys, as they come in training: a hidden score may be far above all that are visible.
    for (const double longer : {100, -100}) {
      const Tensor first = slice(attend(longer * q, 100 * k, v).value(), 0, 0, 1);
      exercises::expect(all_finite(first),
                        "Short vectors work. With queries and keys 100 times as long the powers of all that birds may "
                        "see are 0 beside those of hidden keys, and 0/0 is not a number. Hidden keys must not be in "
                        "softmax at all.");
      exercises::expect(
          allclose(first, numbers({{0, 12}}), 1e-6, 1e-6),
          fmt::format("Short vectors work. With queries {} times as long, and keys 100 times, birds should "
                      "see only itself and put out [[0, 12]], but puts out {}. The number that hides a score is not "
                      "small enough beside such scores. Leave hidden pairs out of the sum.",
                      longer, first));
    }
    Generator random(1);
    const Tensor x = normal({2, 4, 3}, random, 0, 1, DType::f64);
    exercises::expect("two texts of four words", attend(x, x, x).value(),
                      nn::Attention(nn::ScaledDotProduct{})(x, x, x, nn::Mask::causal()).output.value());
    exercises::expect_gradient(
        "attention", [](const auto& in) { return attend(in[0], in[1], in[2]); }, {x, x, x},
        "The outputs are right. Is something computed with .value(), which does not remember?");
  });
}

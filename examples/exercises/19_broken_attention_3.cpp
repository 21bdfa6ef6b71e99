// 19. Broken attention 3: the row that sees nothing · grade 2 · chapter 04_masks
//
// This attention hides by −10⁹, as many tutorials do, and it has worked for a year. Then it is used in a translator,
// and once in a while a batch has a text of no words in it: the user has sent an empty line. Its queries may see
// nothing. But they put out the mean of what stood in the memory behind the text, words of other people among it.
//
// A query that sees nothing should have weights of 0 and put out 0. And what stands in hidden places must not matter,
// however large it is.
//
// Hint: In "A query that sees nothing" the chapter tries three ways to hide a key. Only one of them needs no repair.
#include "examples/exercises/exercise.h"
#include "nn/all.h"

#include <cmath>

using namespace regard;

// TODO: mend it. keep (Lq, Lk) is 1 where a query may see a key, and 0 elsewhere. Use whatever the library has but
// nn::Attention and nn::Mask.
Variable attend(const Variable& q, const Variable& k, const Variable& v, const Tensor& keep) {
  const Variable scores = matmul(q, transpose(k)) / std::sqrt(q.size(-1));
  const Variable weights = softmax(scores + (1 - keep) * -1e9, -1);
  return matmul(weights, v);
}

// ---- This is what checks it. It computes in f32, as models do. ----

int main() {
  return exercises::exercise([] {
    const Variable q = parameter(static_cast<float>(std::sqrt(2) * std::log(2)) * tensor({{-1, -1}, {1, 0}, {0, -1}}));
    const Variable k = parameter(tensor({{1, 0}, {0, 1}, {1, 1}})), v = parameter(tensor({{0, 12}, {6, 0}, {6, 12}}));
    const Tensor causal = tril(ones({3, 3})), before = tril(ones({3, 3}), -1);
    const auto first_row = [](const Tensor& row) { return cat({row, tensor({{0, 12}, {2, 8}})}, 0); };
    exercises::expect(
        "each word sees itself and those before", attend(q, k, v, causal).value(), tensor({{0, 12}, {2, 8}, {3, 9}}),
        {{full({3, 2}, NAN), "Not a number. Was a table of 0 and 1 multiplied by −∞? 0·∞ is not a number: use where."},
         {tensor({{0, 4.8}, {1.2, 4.8}, {3, 9}}),
          "To set weights to 0 after softmax is too late: the others do not add up to 1 any more."}},
        1e-5);
    const Tensor right = first_row(tensor({{0, 0}})), got = attend(q, k, v, before).value();
    exercises::expect(
        "each word sees those before it, and not itself", got, right,
        {{cat({tensor({{4, 8}}), slice(got, 0, 1, 3)}, 0),
          "Birds sees nothing, and puts out the mean of all. All its scores are near −10⁹, where numbers of f32 are 64 "
          "apart: they have become the same, and softmax subtracts the largest of them."},
         {cat({tensor({{3.6, 7.2}}), slice(got, 0, 1, 3)}, 0),
          "Birds sees nothing, and puts out what it would without a mask. Softmax subtracts the largest score: with it "
          "goes what was added to all of them."},
         {first_row(full({1, 2}, NAN)),
          "Birds sees nothing. If all its scores are −∞, so is the largest of them, and −∞ − (−∞) is not a number. If "
          "all powers are 0, so is their sum, and neither is 0/0."}},
        1e-5);

    const Tensor garbage = tensor({{1, 0}, {0, 1}, {-1e12, -1e12}}),
                 only_two = tensor({{1, 1, 0}, {1, 1, 0}, {0, 0, 0}});
    exercises::expect(
        "the third key is hidden, and huge", attend(q, garbage, v, only_two).value(), tensor({{3, 6}, {2, 8}, {0, 0}}),
        {{tensor({{0, 0}, {2, 8}, {0, 0}}),
          "Empty rows work. But birds puts out 0, though it sees two keys. The score of the hidden key is 10¹², and "
          "less 10⁹ it is still the largest: it took all the weight, and then that was set to 0."},
         {tensor({{6, 12}, {2, 8}, {0, 0}}),
          "Empty rows work. But the score of the hidden key is 10¹², and less 10⁹ it is still the largest. What is "
          "subtracted hides only what is smaller."}},
        1e-5);
    const auto of = grad({sum(square(attend(q, k, v, before)))}, {q, k, v});
    exercises::expect(
        all_finite(of[0].value()) && all_finite(of[1].value()) && all_finite(of[2].value()),
        "All outputs are right, but a gradient is not a number. Was NaN replaced after softmax? On the way back it "
        "meets NaN all the same, times 0. It must not arise in the first place.");
    const Tensor last = slice(of[1].value(), 0, 2, 3);
    exercises::expect("the gradient of the key that nobody sees", last, zeros({1, 2}));
  });
}

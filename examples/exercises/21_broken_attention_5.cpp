// 21. Broken attention 5: NaN in the loss · grade 2 · chapter 04_masks
//
// A model trains well until a batch has two texts of different length. Then the loss is NaN, and one step later so is
// every parameter. Here is the shorter text: two words and a third place, which is padding. Nobody has ever written
// anything there, so it holds what was in memory before: today NaN. Print the weights, and you will find them right:
// the third is 0 in each row, and the others are as in the book. And yet each output is NaN.
//
// What stands in a hidden place must not matter, neither for the output nor for a gradient.
//
// Hint: 0·NaN is NaN, so no product removes it. Put another number in its place before you compute: where(real, x, 0)
// takes x where `real` is 1, and 0 elsewhere. v has a row for each key, so `real` must become a column: unsqueeze. Then
// think of the way back: the gradient of q is ∂scores·k.
#include "autograd/all.h"
#include "examples/book/example.h"
#include "examples/exercises/exercise.h"

#include <cmath>

using namespace regard;

// TODO: mend this attention. q is (Lq, D), k and v are (Lk, D), and `real` (Lk) is 1 for each word and 0 for padding.
Variable attend(const Variable& q, const Variable& k, const Variable& v, const Tensor& real) {
  const Variable scores = matmul(q, transpose(k)) / std::sqrt(static_cast<double>(q.size(-1)));
  const Variable weights = masked_softmax(scores, 1, real);
  return matmul(weights, v);
}

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const auto words = book::three_tokens();
    const Tensor real = book::numbers({1, 1, 0}), nan = full({2, 2}, NAN, DType::f64);
    const Tensor right = book::numbers({{3, 6}, {2, 8}});
    const auto padded = [](const Variable& x, double padding) {
      return parameter(cat({slice(x.value(), 0, 0, 2), full({1, 2}, padding, DType::f64)}, 0));
    };
    const Variable q = parameter(slice(words.q.value(), 0, 0, 2));
    const Variable k = padded(words.k, NAN), v = padded(words.v, NAN);

    const Variable output = attend(q, k, v, real);
    exercises::expect(
        "the output, with NaN in the padding of k and v", output.value(), right,
        {{nan,
          "The weight of the padding is 0, but it is multiplied by a value that is NaN, and 0·NaN is NaN. To multiply "
          "by 0 once more, the weight or the value, does not help."},
         {zeros_like(right), "The NaN is gone, and with it the outputs: they should be (3, 6) and (2, 8)."}});
    exercises::expect("the output, with infinity in the padding of v",
                      attend(q, k, padded(words.v, INFINITY), real).value(), right,
                      {{nan,
                        "You have replaced what is NaN. But 0·∞ is NaN, too. Choose what to replace by its place, not "
                        "by what stands there."},
                       {full({2, 2}, INFINITY, DType::f64), "The infinity of the padding has reached the outputs."}});

    const std::vector<Variable> of = grad({sum(square(output))}, {q, k, v});
    exercises::expect("the gradient of q, for the loss Σ output²", of[0].value(),
                      book::numbers({{27, -27}, {112 / 3.0, -112 / 3.0}}) / std::sqrt(2),
                      {{nan,
                        "The outputs are right, but the gradient of q is NaN. It is ∂scores·k: the ∂score of the "
                        "padding is 0, its key is NaN, and they are multiplied."}});
    exercises::expect("the gradient of k", of[1].value(),
                      std::log(2) * book::numbers({{31 / 3.0, -27}, {-31 / 3.0, 27}, {0, 0}}));
    exercises::expect("the gradient of v", of[2].value(),
                      book::numbers({{17 / 3.0, 50 / 3.0}, {13 / 3.0, 34 / 3.0}, {0, 0}}));
  });
}

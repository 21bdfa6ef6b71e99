// 22. The sum that is forgotten · grade 1 · chapter 05_gradients_on_paper
//
// To the output o of each word the same two numbers are added, a bias b: y = o + b. A loss has told for each number of
// y how fast it grows with it: that is ∂y, a row of two numbers for each word. b is one row only. But each word says
// something else about it: the first (0, 0), the second (4, −8), the third (−6, 18). So what is ∂b?
//
// If the shapes happen to fit, a wrong answer raises no error, and a bias is trained with a part of its gradient.
//
// Hint: b is used once for each word. What comes by several ways adds up. The gradient of b has the shape of b; how
// many axes stand before the last one does not matter.
#include "examples/exercises/exercise.h"
#include "tensor/all.h"

using namespace regard;

// TODO: return ∂b, of shape (D), given ∂y. It has the shape (L, D), for a text of L words, or (B, L, D), for B texts.
Tensor bias_rule(const Tensor& d_y) { return d_y; }

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const Tensor text = tensor({{0, 0}, {4, -8}, {-6, 18}});
    exercises::expect(
        "bias_rule(∂y), ∂y = (0, 0), (4, −8), (−6, 18)", bias_rule(text), tensor({-2, 10}),
        {{text, "This is ∂y, with a row for each word. But b is a single row: it has the shape (2)."},
         {mean(text, 0),
          "This is the mean. If b grows by h, then y grows by h in each of the three rows, and the loss by what all "
          "three rows together say."},
         {sum(text, 1), "This is a number for each word: the sum runs over the features. It must run over the words."},
         {sum(text), "This adds up everything. The two features of b have a gradient each."},
         {sum(text, 0, keepdim), "The numbers are right. But b has the shape (2), and this has (1, 2)."}});

    const Tensor two_texts = tensor({{{1, 2, 3}, {4, 5, 6}}, {{10, 20, 30}, {40, 50, 60}}});
    exercises::expect("bias_rule(∂y) for two texts of two words, (2, 2, 3)", bias_rule(two_texts), tensor({55, 77, 99}),
                      {{sum(two_texts, 0), "The sum has run over the texts, but not over the words of each text."},
                       {sum(two_texts, 1), "The sum has run over the words of each text, but not over the texts."},
                       {sum(two_texts, {1, 2}), "This is a number for each text. b has a number for each feature."}});
  });
}

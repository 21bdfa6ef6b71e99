// 31. Which head may go? · grade 2 · chapter 07_heads
//
// A model is to become smaller, and one head has to go: the one without which the output changes least. "Easy," says
// somebody, "that which puts out the smallest numbers." But behind the heads stands W_o, and it may make large numbers
// of small ones. So, first, put the heads side by side again, (B, H, L, D) → (B, L, H·D). Second, find the head that
// can go.
//
// The output is o = y·W_oᵀ, where y are the heads side by side. Without head h it would be the same with zeros in the
// features of head h. The change is measured by the sum of its squares, over all texts, words and features.
//
// Hint: Undo the two steps of cutting in the opposite order. A product of matrices is a sum over heads: each multiplies
// D columns of W_o. With a loop over the heads and select(y, 1, h) you need not set anything to zero.
#include "examples/exercises/exercise.h"
#include "tensor/all.h"

#include <limits>
#include <vector>

using namespace regard;

// TODO: return the heads side by side, (B, L, H·D).
Tensor side_by_side(const Tensor& y) { return reshape(y, {y.size(0), y.size(2), y.size(1) * y.size(3)}); }

// TODO: return the number of the head, counted from 0, without which the output changes least. W_o is (E, H·D).
int least_needed(const Tensor& y, const Tensor& w_o) {
  return static_cast<int>(argmin(sum(square(y), {0, 2, 3}), 0).item());
}

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const auto numbers = [](const Nested& rows) { return tensor(rows, DType::f64); };
    const Tensor words = numbers({{{{0}, {2}, {4}}, {{12}, {6}, {9}}}});
    exercises::expect("side_by_side, with the two heads of birds love singing", side_by_side(words),
                      numbers({{{0, 12}, {2, 6}, {4, 9}}}),
                      {{reshape(words, {1, 3, 2}),
                        "Birds has got the first two outputs of head 0. The heads must stand beside each other, not "
                        "one after the other: first let words and heads change places."}});
    const Tensor two = reshape(arange(16), {2, 2, 2, 2});  // two of everything
    exercises::expect("side_by_side, two texts, heads, words and features", side_by_side(two),
                      tensor({{{0, 1, 4, 5}, {2, 3, 6, 7}}, {{8, 9, 12, 13}, {10, 11, 14, 15}}}),
                      {{reshape(two, {2, 2, 4}), "Words and heads have not changed places."},
                       {reshape(permute(two, {0, 2, 3, 1}), {2, 2, 4}),
                        "The features of the heads alternate: 0, 4, 1, 5. First all of head 0, then all of head 1."}});

    const Tensor y = numbers({{{{4}, {-4.5}}, {{2}, {2}}, {{5}, {5}}}});  // one text, three heads, two words
    exercises::expect(
        "least_needed(y, W_o), where W_o changes nothing", least_needed(y, eye(3, DType::f64)), 1,
        {{0, "Head 0 puts out 4 and −4.5. Their sum is near 0, but each of them is large: add up squares."},
         {2,
          "Without this head the output changes most. (Is your smallest number what is left, and not what has "
          "changed?)"}});
    exercises::expect(
        "least_needed(y, W_o), W_o = (0, 0, 0), (0, 10, 0), (1, 0, 0.1)",
        least_needed(y, numbers({{0, 0, 0}, {0, 10, 0}, {1, 0, 0.1}})), 2,
        {{1, "Head 1 puts out the smallest numbers. But W_o multiplies them by 10, and those of head 2 by 0.1."},
         {0, "You have taken row h of W_o for head h. In o = y·W_oᵀ head h meets column h."}});
    Generator random(31);
    for (int i = 0; i < 5; ++i) {
      const Tensor heads = normal({2, 4, 5, 3}, random, 0, 1, DType::f64);
      const Tensor factors = uniform({1, 4, 1}, random, 0.1, 2, DType::f64);  // W_o enlarges heads by different factors
      const Tensor w_o = reshape(factors * normal({6, 4, 3}, random, 0, 1, DType::f64), {6, 12});
      int right = 0;
      double least = std::numeric_limits<double>::infinity();
      for (int h = 0; h < 4; ++h) {
        const Tensor only = heads * reshape(to(equal(arange(4), h), DType::f64), {1, 4, 1, 1});
        const double change = sum(square(matmul(side_by_side(only), transpose(w_o)))).item();
        if (change < least) least = change, right = h;
      }
      std::vector<exercises::NumberMistake> mistakes;
      const double smallest = argmin(sum(square(heads), {0, 2, 3}), 0).item();
      if (smallest != right)
        mistakes = {{smallest, "This head puts out the smallest numbers. But what does W_o make of them?"}};
      exercises::expect("least_needed(y, W_o), y (2, 4, 5, 3), random numbers", least_needed(heads, w_o), right,
                        mistakes);
    }
  });
}

// 23. The rule of the matrix product · grade 2 · chapter 05_gradients_on_paper
//
// Nearly all the work of a model is products of matrices, and so is nearly all of its way back: each product C = A·B is
// followed, later, by two more. If ∂C is known, ∂A and ∂B are products of ∂C with one of the factors. Which is
// transposed, and on which side does it stand? With square matrices all eight combinations have the right shape, and
// one of them is right for A, one for B.
//
// The chapter derives ∂A: what is dC, put it into dL, sort by the numbers of A. Do the same for B before you write it.
//
// Hint: cᵢⱼ = Σₖ aᵢₖ·bₖⱼ. Where does b₁₂ occur? In all numbers of column 2 of C, each time with another a. For the last
// check: a B that serves several texts collects from all of them, as a bias does.
#include "examples/exercises/exercise.h"
#include "tensor/all.h"

using namespace regard;

struct Both {
  Tensor a, b;
};

// TODO: return ∂A and ∂B, given A (N, M), B (M, P) and ∂C (N, P). For several texts A is (T, N, M) and ∂C (T, N, P),
// while the same B (M, P) serves all. You may use matmul, transpose (of the last two axes), sum, reshape.
Both matmul_rule(const Tensor& a, const Tensor& b, const Tensor& d_c) { return {matmul(d_c, b), matmul(a, d_c)}; }

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const auto numbers = [](const Nested& rows) { return tensor(rows, DType::f64); };
    const Tensor a = numbers({{1, 2}, {3, 4}}), b = numbers({{5, 6}, {7, 8}}), g = numbers({{1, 0}, {0, -1}});
    const Both square = matmul_rule(a, b, g);
    exercises::expect(
        "∂A, for A = (1, 2), (3, 4), B = (5, 6), (7, 8), ∂C = (1, 0), (0, −1)", square.a, numbers({{5, 7}, {-6, -8}}),
        {{matmul(g, b), "This is ∂C·B. Which numbers of B meet a₁₁ on its way to row 1 of C: a row of B, or a column?"},
         {matmul(transpose(b), g),
          "This is Bᵀ·∂C. Row 1 of A makes row 1 of C only, so row 1 of ∂A comes from row 1 of ∂C: ∂C stands on the "
          "left."},
         {matmul(b, g), "This is B·∂C. Row 1 of A makes row 1 of C only: ∂C stands on the left."},
         {matmul(transpose(a), g), "This is Aᵀ·∂C, which is ∂B."}});
    exercises::expect(
        "∂B, for the same", square.b, numbers({{1, -3}, {2, -4}}),
        {{matmul(a, g), "This is A·∂C. Row 1 of B is multiplied by column 1 of A, not by row 1."},
         {matmul(g, transpose(a)),
          "This is ∂C·Aᵀ. Column 1 of B makes column 1 of C only, so column 1 of ∂B comes from column 1 of ∂C: ∂C "
          "stands on the right."},
         {matmul(g, a), "This is ∂C·A. Column 1 of B makes column 1 of C only: ∂C stands on the right."}});

    const Tensor weights = numbers({{1, 0, 0}, {2 / 3.0, 1 / 3.0, 0}, {0.5, 0.25, 0.25}});
    const Tensor values = numbers({{0, 12}, {6, 0}, {6, 12}}), d_output = numbers({{0, 0}, {4, -8}, {-6, 18}});
    const Both words = matmul_rule(weights, values, d_output);
    exercises::expect("∂α of birds love singing", words.a, numbers({{0, 0, 0}, {-96, 24, -72}, {216, -36, 180}}));
    exercises::expect("∂v of birds love singing", words.b,
                      numbers({{-1 / 3.0, 11 / 3.0}, {-1 / 6.0, 11 / 6.0}, {-1.5, 4.5}}));

    const Tensor two = stack({a, 10 * a}, 0), d_two = stack({g, numbers({{1, 1}, {0, 0}})}, 0);
    const Both texts = matmul_rule(two, b, d_two);
    exercises::expect("∂A for two texts, (2, 2, 2)", texts.a, numbers({{{5, 7}, {-6, -8}}, {{11, 15}, {0, 0}}}));
    exercises::expect(
        "∂B for two texts", texts.b, numbers({{11, 7}, {22, 16}}),
        {{matmul(transpose(two), d_two), "This is a matrix for each text. But B is one matrix that both texts use."},
         {matmul(transpose(sum(two, 0)), sum(d_two, 0)),
          "You have added up the texts first. A sum of products is not the product of the sums: first multiply in each "
          "text, then add up."},
         {mean(matmul(transpose(two), d_two), 0),
          "This is the mean over the texts. What comes by several ways adds up."}});
  });
}

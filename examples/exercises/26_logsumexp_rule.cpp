// 26. The rule of logsumexp · grade 2 · chapter 05_gradients_on_paper
//
// y = log Σ eˣ is a soft maximum: if one x is much larger than the others, y is about that x. The loss of a language
// model has it inside. So has fused attention: in place of all weights of a row it keeps two numbers, the largest score
// m and the sum l of the powers e^(x − m), and y is m + log l. The rule of y is short, and you know the function that
// comes out.
//
// Derive it: with t = Σ eˣ, dy = dt/t. The rule is given y, and it should use it: with scores of 1000 it must still be
// right, though e¹⁰⁰⁰ does not fit into a double.
//
// Hint: dy = Σⱼ eˣʲ·dxⱼ/t, and t = eʸ. A power divided by a power is one power: of what? To multiply each row by its
// own number, the numbers must be a column: unsqueeze(numbers, -1).
#include "examples/exercises/exercise.h"
#include "tensor/all.h"

#include <cmath>

using namespace regard;

// TODO: return ∂x (N, D), given x (N, D), the results y (N), one for each row of x, and ∂y (N). Write it with exp, and
// without softmax: the library's softmax would do the work for you.
Tensor logsumexp_rule(const Tensor& x, const Tensor& y, const Tensor& d_y) { return exp(x) * unsqueeze(d_y, -1); }

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    // Rows of logarithms, so that all powers are whole: their sums are 4, 8 and 10.
    const Tensor powers = tensor({{1, 2, 1}, {1, 1, 6}, {5, 3, 2}}, DType::f64), sums = sum(powers, -1, keepdim);
    const Tensor x = log(powers), y = logsumexp(x, -1), d_y = tensor({4, 16, -10}, DType::f64);
    const Tensor column = unsqueeze(d_y, -1), shares = powers / sums;
    exercises::expect(
        "logsumexp_rule(x, y, ∂y), x = log 1, 2, 1 / log 1, 1, 6 / log 5, 3, 2", logsumexp_rule(x, y, d_y),
        tensor({{1, 2, 1}, {2, 2, 12}, {-5, -3, -2}}, DType::f64),
        {{powers * column, "This is eˣ·∂y: the slope of the sum of all powers. And that of its logarithm?"},
         {column / sums + 0 * x, "This is ∂y/Σ eˣ. How fast does the sum itself grow with each x?"},
         {shares, "These are the slopes of y. Where is ∂y?"},
         {shares * d_y,
          "(N, D) times (N) has multiplied each column by a number of its own; that it fits is chance, as N = D. Each "
          "row has its own ∂y: make it a column."},
         {exp(x - y) * column,
          "x (N, D) less y (N) has taken another y from each column; that it fits is chance, as N = D. Make y a "
          "column."},
         {exp(x - y) * d_y,
          "y and ∂y have a number for each row, and you have used them for columns; that it fits is chance, as N = D. "
          "Make both columns."},
         {shares * (column - sum(shares * column, -1, keepdim)),
          "This is the rule of softmax. Here softmax is not the function; it is what comes out."}});

    const Tensor large = x + 1000;
    exercises::expect("the same with all x larger by 1000", logsumexp_rule(large, y + 1000, d_y), column * shares,
                      {{full({3, 3}, NAN, DType::f64),
                        "e¹⁰⁰⁰ is infinite here, and ∞/∞ is no number. Do not divide two powers: subtract first, and "
                        "then take one power."}});
    exercises::expect("the same with all x smaller by 1000", logsumexp_rule(x - 1000, y - 1000, d_y), column * shares,
                      {{full({3, 3}, NAN, DType::f64),
                        "e⁻¹⁰⁰⁰ is 0 here, and 0/0 is no number. Subtract first, and then take one power."}});
  });
}

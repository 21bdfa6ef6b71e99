// 03. A rule from the output · grade 1 · chapter 00_first_hour
//
// The program of the chapter gives tanh the slope 1 − y². Look at what is not in it: x. The rule needs the output only,
// which is at hand anyway, so x need not be kept. exp can do the same: its slope is y.
//
// Here is another function which can. It is called *sigmoid*, and turns any number into one between 0 and 1, say, how
// sure a model is of something: 0.5 at x = 0, 0.88 at 2, 0.12 at −2.
//
//   y = 1/(1 + e^(−x))
//
// Its slope at x = 0 is ¼. What is it elsewhere, in terms of y alone? Go through its four steps with the rules that the
// chapter gives: u = −x, p = e^u, t = 1 + p, y = 1/t. They all lie on one way.
//
// Hint: The four slopes are −1, p, 1 and −y/t. Now get rid of p and t: which of the four lines say what they are in
// terms of y?
#include "examples/exercises/exercise.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"

#include <vector>

using namespace regard;

// TODO: return ∂y/∂x, given y. Use + − × only: no exp, and no sigmoid.
double sigmoid_slope(double y) { return 1 - y * y; }

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const Tensor x = tensor({-2, 0, 1, 4}, DType::f64), y = 1 / (1 + exp(-x));
    const double h = 1e-5;
    const Tensor measured = (1 / (1 + exp(-(x + h))) - 1 / (1 + exp(-(x - h)))) / (2 * h);
    std::vector<double> slopes;
    for (const double one : to_vector(y)) slopes.push_back(sigmoid_slope(one));
    exercises::expect(
        "the slopes at x = −2, 0, 1, 4", tensor(slopes, x.shape(), DType::f64), measured,
        {{1 - y * y, "This is the rule of tanh. Sigmoid has another one: at x = 0, where y = ½, its slope is ¼."},
         {y * (1 + y), "A sign: t = 1 + p, so p = t − 1. What is p/t then, with y = 1/t?"},
         {y * (y - 1), "The sign is wrong: y grows with x. Was the slope of u = −x left out?"},
         {y, "This is the rule of exp. Here exp is only one step of four; the slopes of all four multiply."},
         {1 - y, "This is p/t. The slopes that multiply are −1, p, 1 and −y/t: one factor is missing."},
         {y * y, "This is 1/t²: the slopes of the first and of the last step. That of e^u, which is p, is missing."},
         {-(y * y), "This is −1/t², the last step alone. On the way from x there are three more."}},
        1e-8);
  });
}

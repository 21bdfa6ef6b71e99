// 09. Softmax, backwards · grade 2 · chapter 02_softmax_and_scores
//
// The weights α of a query are the softmax of its scores s. A loss has told each weight which change would raise it:
// that is ∂α, three numbers. But nobody can change a weight alone. What can be changed are the scores, and a score that
// grows takes a part from all other weights. So: what is ∂s?
//
// You know ∂αᵢ/∂sⱼ from the chapter: αᵢ·(1 − αᵢ) for i = j, and −αᵢ·αⱼ otherwise. ∂sⱼ is the sum over i of ∂αᵢ times
// this slope. It can be written without a loop.
//
// Hint: Pull αⱼ out of the sum. What remains is ∂αⱼ minus one number, the same for all j. Which one?
#include "examples/exercises/exercise.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"

using namespace regard;

// TODO: return ∂s, of the same shape as α and ∂α: one row a query.
Tensor softmax_rule(const Tensor& alpha, const Tensor& d_alpha) { return alpha * d_alpha; }

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const Tensor alpha = tensor({{0.4, 0.2, 0.4}, {0.5, 0.25, 0.25}}, DType::f64);
    const Tensor d_alpha = tensor({{-57.6, 43.2, -14.4}, {216, -36, 180}}, DType::f64);
    exercises::expect("softmax_rule(α, ∂α)", softmax_rule(alpha, d_alpha),
                      tensor({{-14.976, 12.672, 2.304}, {36, -45, 9}}, DType::f64),
                      {{d_alpha, "This is ∂α itself. By how much do the weights change when a score does?"},
                       {alpha * d_alpha,
                        "That would be right if a score changed its own weight only, with the slope α. But the weights "
                        "sum to 1: when one grows, all others shrink."},
                       {alpha * (1 - alpha) * d_alpha,
                        "This counts what a score does to its own weight, and leaves out what it does to the others."},
                       {alpha * (d_alpha - sum(alpha * d_alpha)),
                        "The number that is subtracted mixes both queries. Each row needs its own: keep the axis of "
                        "the sum."}});
  });
}

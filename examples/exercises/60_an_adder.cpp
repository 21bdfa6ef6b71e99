// 60. An adder · grade 2 · chapter 09_blocks
//
// Two digits, and a block that adds them, with weights that you set by hand. Each digit is a row of ten numbers with
// a 1 at its place: x is (2, 10). One look with equal weights takes the mean m of the two values W_v·x, a single
// number. The feed-forward part behind it gives 19 logits, one for each possible sum, 0 to 18:
//
//   logits = W_down · relu(W_up · m + b_up)
//
// The largest logit must stand at the sum. There is no bias in the last step, and there need not be one.
//
// Hint: Of all n, −(n − s)² is largest at n = s. Multiply it out: which part of it is the same for all n, and can be
// left out? What is left is a sum of two terms; so two hidden units are enough.
#include "examples/exercises/exercise.h"
#include "tensor/all.h"

#include <fmt/format.h>

using namespace regard;

struct Adder {
  Tensor w_v;         // (1, 10)
  Tensor w_up, b_up;  // (h, 1) and (h), with as many hidden units h as you like
  Tensor w_down;      // (19, h)
};

// TODO: return the weights, in f64.
Adder adder() {
  return {reshape(arange(10, DType::f64), {1, 10}), ones({1, 1}, DType::f64), zeros({1}, DType::f64),
          reshape(arange(19, DType::f64), {19, 1})};
}

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const Adder made = adder();
    for (int a = 0; a < 10; ++a)
      for (int b = 0; b < 10; ++b) {
        const Tensor x = one_hot(tensor({static_cast<double>(a), static_cast<double>(b)}, DType::i64), 10, DType::f64);
        const Tensor m = mean(matmul(x, transpose(made.w_v)), 0, KeepDim::yes);  // (1, 1)
        const Tensor hidden = relu(matmul(m, transpose(made.w_up)) + made.b_up);
        const Tensor logits = reshape(matmul(hidden, transpose(made.w_down)), {19});
        for (int n = 0; n < 19; ++n)
          exercises::expect(n == a + b || logits.at({n}) < logits.at({a + b}),
                            fmt::format("{} + {}: the logit of {} is {:.4}, and that of {} is {:.4}.", a, b, n,
                                        logits.at({n}), a + b, logits.at({a + b})));
      }
  });
}

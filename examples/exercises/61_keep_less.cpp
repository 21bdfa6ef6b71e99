// 61. Keep less · grade 2 · chapter 16_cost
//
// The weights of Gaussian attention are softmax of −½·|qᵢ − kⱼ|² over the keys. Below they are computed as the formula
// says it: differences of all pairs, their squares, their sums. It is right, and for n queries and n keys of D features
// it keeps two tables of n·n·D numbers until the gradient has been computed. You may keep at most four tables of n·n.
//
// Hint: Multiply the square out, as chapter 3 does. Three terms come out, and one of them softmax does not see.
#include "autograd/all.h"
#include "examples/exercises/exercise.h"
#include "nn/tools/cost/cost.h"

#include <fmt/format.h>

using namespace regard;

// TODO: return the weights (n, n) of queries q (n, D) and keys k (n, D). It must be possible to differentiate them.
Variable gaussian_weights(const Variable& q, const Variable& k) {
  const Variable difference = unsqueeze(q, 1) - unsqueeze(k, 0);  // (n, n, D)
  return softmax(-0.5 * sum(square(difference), -1), -1);
}

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const std::int64_t n = 32, features = 16;
    Generator random(61);
    const auto draw = [&] { return parameter(normal({n, features}, random, 0, 0.5, DType::f64)); };
    const Variable q = draw(), k = draw();
    const Tensor away = Tensor(unsqueeze(q.value(), 1)) - Tensor(unsqueeze(k.value(), 0));
    const Tensor right = softmax(-0.5 * sum(away * away, -1), -1), plain = matmul(q.value(), transpose(k.value()));
    const Variable weights = gaussian_weights(q, k);
    exercises::expect(
        "the weights", weights.value(), right,
        {{softmax(plain, -1), "That is the dot product alone. Long keys must lose something."},
         {softmax(2 * plain - sum(k.value() * k.value(), -1), -1), "That is without the factor ½."},
         {softmax(-0.5 * sum(away * away, -1), 0), "The weights of a query, a row, must have the sum 1."}});
    exercises::expect_gradient(
        "the weights", [](const std::vector<Variable>& in) { return gaussian_weights(in[0], in[1]); },
        {parameter(slice(q.value(), 0, 0, 3)), parameter(slice(k.value(), 0, 0, 3))},
        "The weights are right and the gradient is not: is something a constant that should not be one?");
    const double tables = cost(weights).total.memory / static_cast<double>(8 * n * n);
    exercises::expect(tables <= 4.5, fmt::format("The weights are right, and {:.1f} tables of n·n numbers are kept. "
                                                 "It can be done with four or less.",
                                                 tables));
    fmt::print("{:.1f} tables of n·n numbers are kept.\n", tables);
  });
}

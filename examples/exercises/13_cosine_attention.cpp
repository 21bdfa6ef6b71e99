// 13. Cosine attention · grade 2 · chapter 03_scores
//
// In a shop a customer is a query and each thing that is sold is a key. What is bought often has got a long key in
// training, and so it is shown to everybody whose query points roughly its way. The rest of the shop is never seen. The
// remedy: only the direction of a key shall count, not its length. The score becomes cos(q, k)/τ.
//
// One thing that is sold is new. Nobody has bought it, and all features of its key are 0. It has no direction; let its
// cosine be 0 with everybody.
//
// Hint: cos(q, k) = q/‖q‖ · k/‖k‖. For the key of zeros: replace its length by 1 before you divide, with where(…). To
// divide first and replace the result afterwards gives the right scores, but gradients of NaN: 0·∞ is not a number.
#include "examples/exercises/exercise.h"
#include "nn/all.h"

#include <cmath>

using namespace regard;

// TODO: return the weights (…, Lq, Lk) of q (…, Lq, D) and k (…, Lk, D), with the score cos(q, k)/τ. Use whatever the
// library has but nn::CosineScore.
Variable cosine_weights(const Variable& q, const Variable& k, double tau) {
  return softmax(matmul(q, transpose(k)) / tau, -1);
}

// ---- This is what checks it. ----

Tensor numbers(const Nested& rows) { return tensor(rows, DType::f64); }

int main() {
  return exercises::exercise([] {
    const double c = std::sqrt(2) * std::log(2), r = std::sqrt(0.5), tau = 0.5;
    const Tensor q = c * numbers({{-1, -1}, {1, 0}, {0, -1}}), k = numbers({{1, 0}, {0, 1}, {1, 1}});
    const Tensor cosines = numbers({{-r, -r, -1}, {1, 0, r}, {0, -1, -r}}), products = matmul(q, transpose(k));
    const auto length = [](const Tensor& x, const ReducedAxes& over) { return sqrt(sum(square(x), over, keepdim)); };
    const Tensor of_q = length(q, -1), of_k = transpose(length(k, -1));
    exercises::expect(
        "the weights of birds love singing, τ = ½", cosine_weights(q, k, tau).value(), softmax(cosines / tau, -1),
        {{softmax(products / tau, -1), "This is the dot product over τ: a long key is still loud."},
         {softmax(products / of_k / tau, -1), "The keys have the length 1 now. The queries do not."},
         {softmax(products / of_q / tau, -1), "The queries have the length 1 now. The keys do not."},
         {softmax(products / square(of_q) / square(of_k) / tau, -1),
          "You have divided by ‖q‖² and ‖k‖²: the root is missing."},
         {softmax(cosines, -1), "The cosines are right. τ is missing."},
         {softmax(cosines * tau, -1), "The cosines are right. They are to be divided by τ, not multiplied."},
         {cosines / tau, "The scores are right. Weights are softmax of them."},
         {cosines, "The cosines are right. What is left is τ and softmax."},
         {softmax(matmul(q / length(q, 0), transpose(k / length(k, 0))) / tau, -1),
          "The length of a vector goes over its features, the last axis. You have taken it over the words."},
         {softmax(products / (length(q, {}) * length(k, {})) / tau, -1),
          "You have taken one length for all queries together, and one for all keys. Each vector has its own."}});

    Generator random(1);
    const Tensor queries = normal({2, 4, 3}, random, 0, 1, DType::f64),
                 keys = normal({2, 5, 3}, random, 0, 1, DType::f64);
    const nn::CosineScore cosine({.temperature = 1, .dtype = DType::f64});
    const auto theirs = [&](const Variable& a, const Variable& b, double t) { return softmax(cosine(a, b) / t, -1); };
    exercises::expect("two texts, of four queries and five keys each", cosine_weights(queries, keys, 0.2).value(),
                      theirs(queries, keys, 0.2).value());
    exercises::expect_gradient(
        "the weights", [](const auto& in) { return cosine_weights(in[0], in[1], 0.2); }, {queries, keys},
        "The weights are right, but what comes back to queries and keys is not. Compute with Variables all the way: a "
        "Tensor, such as q.value(), does not remember how it was made.");

    const Variable customer = parameter(numbers({{3, 4}})), things = parameter(numbers({{1, 0}, {0, 0}, {0, -5}}));
    const Variable weights = cosine_weights(customer, things, 1);
    exercises::expect("of the query (3, 4) with the keys (1, 0), (0, 0), (0, −5), τ = 1", weights.value(),
                      softmax(numbers({{0.6, 0, -0.8}}), -1),
                      {{full({1, 3}, NAN, DType::f64),
                        "The second key has the length 0, and 0/0 is not a number. Its cosine is to be 0: replace the "
                        "length by 1 where it is 0."}});
    const Tensor worth = numbers({{1, 2, 4}});
    const auto of = grad({sum(weights * worth)}, {customer, things});
    exercises::expect(
        "how a loss depends on the query", of[0].value(),
        grad({sum(theirs(customer, things, 1) * worth)}, {customer})[0].value(),
        {{full({1, 2}, NAN, DType::f64),
          "The weights are right. But on the way back an infinite slope, 1/0, is multiplied by 0. What has no length "
          "must be replaced before the division, and before the root."}});
    exercises::expect(all_finite(of[1].value()),
                      "The weights are right. But the key (0, 0) gets a gradient that is not finite: the slope of the "
                      "root at 0 is infinite. Replace the square of the length, before the root.");
  });
}

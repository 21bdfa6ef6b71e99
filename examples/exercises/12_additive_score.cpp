// 12. An additive score · grade 2 · chapter 03_scores
//
// A translator looks from each word that it writes at the words that it reads. It was trained with an additive score,
//
//   a(q, k) = w_v·tanh(W_q q + W_k k)
//
// and as long as both sides had the same number of words, it ran. All that it learned was to look at the word at the
// same place. Then came a sentence with one word more, and an error.
//
// The function below adds each query to the key at its own place. It should be each query with each key: a table of
// (Lq, Lk) sums of h numbers. It should do so for a batch too, where more axes stand in front.
//
// Hint: A column of queries, (…, Lq, 1, h), plus a row of keys, (…, 1, Lk, h). Count axes from the end, so that it does
// not matter how many are in front.
#include "examples/exercises/exercise.h"
#include "nn/all.h"

#include <cmath>

using namespace regard;

// TODO: return the scores (…, Lq, Lk) for q (…, Lq, Dq), k (…, Lk, Dk), W_q (h, Dq), W_k (h, Dk) and w_v (h). Use
// whatever the library has but nn::AdditiveScore.
Variable additive_score(const Variable& q, const Variable& k, const Variable& w_q, const Variable& w_k,
                        const Variable& w_v) {
  const Variable of_queries = matmul(q, transpose(w_q)), of_keys = matmul(k, transpose(w_k));
  return matmul(tanh(of_queries + of_keys), w_v);
}

// ---- This is what checks it. ----

Tensor numbers(const Nested& rows) { return tensor(rows, DType::f64); }

int main() {
  return exercises::exercise([] {
    const double one = std::log(2);
    const Tensor q = std::sqrt(2) * one * numbers({{-1, -1}, {1, 0}, {0, -1}}), k = numbers({{1, 0}, {0, 1}, {1, 1}});
    const Tensor w_q = numbers({{0, 1}, {1, 0}}) / std::sqrt(2), w_k = one / 2 * numbers({{1, -1}, {-1, 1}});
    const Tensor w_v = 9 * one * numbers({1, 1}),
                 right = one * numbers({{-10, -10, -10.8}, {6, 4, 5.4}, {-6, -4, -5.4}});
    const Tensor a = matmul(q, transpose(w_q)), b = matmul(k, transpose(w_k));
    exercises::expect(
        "the scores of birds love singing", additive_score(q, k, w_q, w_k, w_v).value(), right,
        {{matmul(tanh(a + b), w_v),
          "These are three scores: each query met only the key at its own place. (3, 2) + (3, 2) is (3, 2)."},
         {transpose(right), "Here a row is a key and a column a query. It should be the other way round."},
         {matmul(unsqueeze(a, -2) + unsqueeze(b, -3), w_v),
          "tanh is missing. A plain sum gives all queries the same weights: look at the differences in each row."},
         {tanh(matmul(unsqueeze(a, -2) + unsqueeze(b, -3), w_v)),
          "tanh comes before the product with w_v: it acts on each of the h sums, not on the score."},
         {sum(tanh(unsqueeze(a, -2) + unsqueeze(b, -3)), -1), "The hidden units are added up, without w_v."},
         {unsqueeze(right, -1), "The numbers are right. There is an axis of size 1 too many at the end: squeeze it."}});

    Generator random(1);
    nn::AdditiveScore score({.query_size = 2, .key_size = 3, .hidden = 6, .dtype = DType::f64}, random);
    const auto ours = [&](const Variable& queries, const Variable& keys) {
      return additive_score(queries, keys, score.w_q.weight, score.w_k.weight, flatten(score.w_v.weight));
    };
    const Tensor queries = normal({2, 4, 2}, random, 0, 1, DType::f64),
                 keys = normal({2, 5, 3}, random, 0, 1, DType::f64);
    try {
      exercises::expect("two texts, of four queries and five keys each", ours(queries, keys).value(),
                        score(queries, keys).value());
    } catch (const ShapeError& error) {
      exercises::expect(
          false, fmt::format("Three words work. With two texts, q (2, 4, 2) and k (2, 5, 3), something "
                             "does not fit:\n  {}\nAre the matrices transposed? Are the new axes counted from the end?",
                             error.what()));
    }
    exercises::expect_gradient(
        "the score", [&](const auto& in) { return ours(in[0], in[1]); }, {queries, keys},
        "The scores are right, but what comes back to queries and keys is not. A Tensor, such as q.value(), does not "
        "remember how it was made; compute with Variables all the way.");
  });
}

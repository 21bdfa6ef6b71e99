// 17. Broken attention 1: a mean that is none · grade 1 · chapter 04_masks
//
// This attention runs. Its weights are between 0 and 1, no number is NaN, and models with it even learn something. A
// colleague has tried a simple thing: all values are 10. A mean of tens is ten, whatever the weights are. But out come
// 4.8, 18.0 and 7.2.
//
// Hint: An output is the mean of the values for one query. So the weights of a query must have the sum 1. Print the
// sums of the table along both directions. Chapter 2 does so in "Over the keys".
#include "examples/exercises/exercise.h"
#include "nn/all.h"

#include <cmath>

using namespace regard;

// TODO: find the one fault, and mend it.
Variable attend(const Variable& q, const Variable& k, const Variable& v) {  // (…, Lq, D), (…, Lk, D), (…, Lk, Dv)
  const Variable scores = matmul(q, transpose(k)) / std::sqrt(q.size(-1));
  const Variable weights = softmax(scores, -2);
  return matmul(weights, v);
}

// ---- This is what checks it. ----

Tensor numbers(const Nested& rows) { return tensor(rows, DType::f64); }

int main() {
  return exercises::exercise([] {
    const Tensor q = std::sqrt(2) * std::log(2) * numbers({{-1, -1}, {1, 0}, {0, -1}});
    const Tensor k = numbers({{1, 0}, {0, 1}, {1, 1}}), v = numbers({{0, 12}, {6, 0}, {6, 12}}),
                 tens = numbers({{10}, {10}, {10}});
    const Tensor scores = matmul(q, transpose(k)) / std::sqrt(2), columns = softmax(scores, 0);
    exercises::expect("the output, if all values are 10", attend(q, k, tens).value(), tens,
                      {{matmul(columns, tens),
                        "A query that is liked by many keys puts out much, the others little: each key has given away "
                        "the sum 1, and not each query."},
                       {matmul(exp(scores) / sum(exp(scores)), tens),
                        "Now the whole table has the sum 1. Each query has 1 to give away."},
                       {matmul(exp(scores), tens), "These are powers. Each row must be divided by its sum."}});
    exercises::expect(
        "the output of birds love singing", attend(q, k, v).value(), numbers({{3.6, 7.2}, {3.6, 9.6}, {3, 9}}),
        {{matmul(columns / sum(columns, -1, keepdim), v),
          "Now the sums are 1. But the weights are not: they were shares of columns first. Mend the fault itself."},
         {matmul(transpose(columns), v),
          "Transposed, the rows have the sum 1. But now a row is a key. Mend the fault itself."},
         {matmul(full({3, 3}, 1.0 / 3, DType::f64), v),
          "All weights are the same. That is a mean, but of everything."}});
    Generator random(1);
    const auto some = [&](const Shape& shape) { return normal(shape, random, 0, 1, DType::f64); };
    const Tensor queries = some({2, 4, 3}), keys = some({2, 5, 3}), values = some({2, 5, 6});
    const auto along = [&](int axis) {
      return matmul(softmax(matmul(queries, transpose(keys)) / std::sqrt(3), axis), values);
    };
    exercises::expect(
        "two texts, of four queries and five keys each", attend(queries, keys, values).value(),
        nn::Attention(nn::ScaledDotProduct{})(queries, keys, values).output.value(),
        {{along(1), "One text works. With several, axis 1 is that of the queries again. Count from the end."}});
  });
}

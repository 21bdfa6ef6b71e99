// 14. Which shape comes out? · grade 1 · chapter 03_scores
//
// Who knows the shapes needs no other debugger for half of all mistakes, since a wrong shape raises an error. The other
// half are shapes that fit by accident. Work out these seven in your head, before you let anything run. The sizes all
// differ, so that no number can stand for another one: 2 texts, 5 queries, 7 keys, 8 features, 4 hidden units, and
// values of 3 features. The last question is a loss that never falls, in about every second first program.
//
// Hint: matmul works on the last two axes: (…, M, K) times (…, K, N) is (…, M, N). A sum of two shapes: write them
// below each other, aligned at the right; where sizes differ, one of them must be 1 or missing, and the other one wins.
#include "examples/exercises/exercise.h"
#include "nn/all.h"

#include <string>
#include <vector>

using namespace regard;

// TODO: type the shapes between the braces, as in {2, 5, 8}.
// q is (2, 5, 8), k is (2, 7, 8), v is (2, 7, 3).
const Shape scores{};   // matmul(q, transpose(k))
const Shape largest{};  // max(scores, -1, keepdim)
const Shape output{};   // matmul(softmax(scores, -1), v)
// a, from the queries, is (2, 5, 4); b, from the keys, is (2, 7, 4); w_v is (4).
const Shape column{};    // unsqueeze(a, -2)
const Shape units{};     // tanh(unsqueeze(a, -2) + unsqueeze(b, -3))
const Shape additive{};  // matmul(units, w_v)
// A regression predicts five numbers, (5, 1). What was measured is y, (5).
const Shape errors{};  // prediction - y

// ---- This is what checks it. ----

struct WrongShape {
  Shape typed;
  std::string sentence;
};

void expect(const std::string& code, const Shape& typed, const Tensor& result,
            const std::vector<WrongShape>& mistakes) {
  std::string sentence = typed.rank() == 0 ? "Type its shape." : "Go through it axis by axis, from the right.";
  for (const WrongShape& mistake : mistakes)
    if (typed == mistake.typed) sentence = mistake.sentence;
  exercises::expect(typed == result.shape(), fmt::format("{} is not {}. {}", code, typed, sentence));
}

int main() {
  return exercises::exercise([] {
    const Tensor q = ones({2, 5, 8}), k = ones({2, 7, 8}), v = ones({2, 7, 3}), s = matmul(q, transpose(k));
    expect("matmul(q, transpose(k))", scores, s,
           {{{2, 7, 5}, "A row for each query, a column for each key."},
            {{5, 7}, "The axis of the texts stays: each text has a table of its own."},
            {{2, 5, 8, 7}, "The features are summed over; they are gone."}});
    expect("max(scores, -1, keepdim)", largest, max(s, -1, keepdim),
           {{{2, 5}, "keepdim keeps the axis that was reduced, with the size 1."},
            {{2, 1, 7}, "−1 is the last axis: the largest over the keys of each query."},
            {{2, 1}, "Only one axis is reduced, the last one."}});
    expect("matmul(softmax(scores, -1), v)", output, matmul(softmax(s, -1), v),
           {{{2, 5, 7}, "That is the shape of the weights. The product sums over the keys."},
            {{2, 5, 8}, "Features of an output are features of a value, not of a query."},
            {{2, 7, 3}, "That is the shape of the values. There is an output for each query."}});
    const Tensor a = unsqueeze(ones({2, 5, 4}), -2), sums = a + unsqueeze(ones({2, 7, 4}), -3);
    expect("unsqueeze(a, -2)", column, a,
           {{{2, 1, 5, 4}, "The new axis is at −2 in the result: the last but one."},
            {{2, 5, 4, 1}, "That would be unsqueeze(a, −1)."}});
    expect("tanh(unsqueeze(a, -2) + unsqueeze(b, -3))", units, tanh(sums),
           {{{2, 7, 5, 4}, "a is (2, 5, 1, 4) now, and b is (2, 1, 7, 4). Which axis comes first?"},
            {{2, 5, 7}, "The hidden units are still there: nothing has been summed."},
            {{2, 12, 4}, "They are added, not joined: each query with each key."},
            {{2, 5, 4}, "So it would be if each query met one key. b is (2, 1, 7, 4)."}});
    expect("matmul(units, w_v)", additive, matmul(sums, ones({4})),
           {{{2, 5, 7, 1}, "w_v is (4), a vector: the axis that it is summed over is gone."},
            {{2, 5, 7, 4}, "A dot product of the hidden units with w_v is a single number."}});
    expect("prediction - y", errors, ones({5, 1}) - ones({5}),
           {{{5}, "This is what was meant. But aligned at the right, (5) is a row and (5, 1) is a column."},
            {{5, 1}, "This is what was meant. But aligned at the right, (5) is a row and (5, 1) is a column."},
            {{1, 5}, "A column (5, 1) and a row (5): both are stretched."}});
    fmt::print(
        "The last one has 25 numbers: each prediction less each y. The loss is least if all predictions are the mean "
        "of y.\n");
  });
}

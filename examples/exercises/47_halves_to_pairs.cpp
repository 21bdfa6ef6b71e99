// 47. From halves to pairs · grade 2 · chapter 15_checkpoints
//
// You have loaded a model of others. No error is raised, the first eight words of its text are right, and then it
// writes words that do not exist. The file counts rotary pairs in halves: in a head of D features, feature j belongs to
// feature j + D/2. Your program turns neighbours: feature 2j belongs to feature 2j + 1. Both are the same model, if the
// rows of W_q and W_k are put into another order. (Row r of W_q makes feature r of the query; the heads follow one
// another.) But which order, and in how many heads?
//
// Hint: Write down the rows 0 … 7 of a head of eight features. With which row does row 0 make a pair in the file? These
// two must become the rows 0 and 1. Then look at W_k: has it as many heads as W_q?
#include "examples/exercises/exercise.h"
#include "nn/attention/positions/rotary.h"
#include "tensor/create.h"
#include "tensor/ops/index.h"
#include "tensor/ops/matmul.h"
#include "tensor/random/random.h"
#include "tensor/view.h"

using namespace regard;

struct Projections {
  Tensor w_q, w_k, w_v;  // (heads·D, E), (key_value_heads·D, E), (key_value_heads·D, E)
};

// TODO: the same projections for a program that turns neighbours. You may use index_select, or reshape and transpose,
// but not nn::reorder_rows.
Projections for_neighbours(const Projections& file, std::int64_t heads, std::int64_t key_value_heads) { return file; }

// ---- This is what checks it. ----

namespace {

Tensor numbered(std::int64_t rows) { return reshape(arange(rows, DType::f64), {rows, 1}); }
Tensor order(const std::vector<double>& rows) { return tensor(rows, {std::ssize(rows)}, DType::f64); }

// Two query heads of eight features, which share one key.
void check_order() {
  const auto [q, k, v] = for_neighbours({numbered(16), numbered(8), numbered(8)}, 2, 1);
  exercises::expect("the rows of W_q, two heads of eight features", flatten(q),
                    order({0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15}),
                    {{arange(16), "These are the rows as they stand in the file."},
                     {order({0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15}),
                      "That is the way from neighbours to halves. With four features in a head both ways are the same, "
                      "with eight not."},
                     {order({0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15}),
                      "A pair never takes features of two heads. Reorder in each head."}});
  exercises::expect("the rows of W_k, one head of eight features", flatten(k), order({0, 4, 1, 5, 2, 6, 3, 7}),
                    {{arange(8), "These are the rows as they stand in the file. Keys are turned, too."},
                     {order({0, 2, 1, 3, 4, 6, 5, 7}),
                      "The shape is right, and all keys are wrong: this takes W_k for a matrix of two heads."}});
  exercises::expect("the rows of W_v", flatten(v), arange(8),
                    {{order({0, 4, 1, 5, 2, 6, 3, 7}), "Nothing turns values. Their rows stay as they are."}});
}

// Queries and keys at the places 0 … 4 have the same scores in both programs.
void check_scores() {
  Generator generator(1);
  const auto random = [&](std::int64_t rows) { return normal({rows, 6}, generator, 0, 1, DType::f64); };
  const Projections file{random(8), random(8), random(8)};
  const Tensor x = random(5);
  const auto scores = [&](const Projections& w, nn::RotaryLayout layout) {
    const auto turned = [&](const Tensor& weight) { return nn::rotate(linear(x, weight), 0, layout).value(); };
    return matmul(turned(w.w_q), transpose(turned(w.w_k)));
  };
  exercises::expect("the scores of five words", scores(for_neighbours(file, 1, 1), nn::RotaryLayout::interleaved),
                    scores(file, nn::RotaryLayout::halves));
}

}  // namespace

int main() {
  return exercises::exercise([] {
    check_order();
    check_scores();
  });
}

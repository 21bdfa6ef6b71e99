// 32. Grouped queries · grade 3 · chapter 07_heads
//
// A model that writes keeps the keys and values of all words so far, for each head. With 80 layers of 64 heads of 128
// features these are 1.3 million numbers for each word. So several heads of queries are made to share one head of keys:
// with H = 4 and G = 2 heads 0 and 1 look at the first keys, heads 2 and 3 at the second. Most large models of today do
// this.
//
// You write two things. First, the attention, for the step in which a model writes: the queries are those of the last
// Lq of Lk words, and each sees the words up to its own. Second, what is needed to make such a model of a trained one
// that has H heads of keys: its W_k becomes smaller. J. Ainslie and others found that the mean of the matrices that are
// to become one is a good beginning.
//
// Hint: repeat_interleave(k, times, 0) makes (k₀, k₀, k₁, k₁) of (k₀, k₁). The first query stands at position Lk − Lq:
// nn::Attention takes this as its last argument, or make the mask with tril. W_k is (H·D, E): reshape it to (G, H/G, D,
// E).
#include "examples/exercises/exercise.h"
#include "nn/all.h"

#include <cmath>
#include <vector>

using namespace regard;

// TODO: return the outputs (H, Lq, D), given q (H, Lq, D), k and v (G, Lk, D). Mind the mask. You may use all of the
// library.
Variable grouped_attention(const Variable& q, const Variable& k, const Variable& v) {
  nn::Attention attention(nn::ScaledDotProduct{});
  std::vector<Variable> heads;
  for (int h = 0; h < q.size(0); ++h) {
    const int group = h % static_cast<int>(k.size(0));
    heads.push_back(attention(select(q, 0, h), select(k, 0, group), select(v, 0, group)).output);
  }
  return stack(heads, 0);
}

// TODO: return W_k for G heads, (G·D, E): the mean over the heads of each group. W_k (H·D, E) has D rows for each head.
Tensor fewer_keys(const Tensor& w_k, std::int64_t heads, std::int64_t groups) {
  return slice(w_k, 0, 0, w_k.size(0) / heads * groups);
}

// ---- This is what checks it. ----

// Head by head.
Tensor by_head(const Tensor& q, const Tensor& k, const Tensor& v, const std::vector<int>& groups,
               const nn::Mask& mask = nn::Mask::causal(), bool counted_from_0 = false) {
  std::vector<Tensor> heads;
  for (int h = 0; h < q.size(0); ++h) {
    nn::Attention attention(nn::ScaledDotProduct{});
    const int group = groups[static_cast<std::size_t>(h)];
    heads.push_back(attention(Variable(select(q, 0, h)), Variable(select(k, 0, group)), Variable(select(v, 0, group)),
                              mask, counted_from_0 ? 0 : k.size(1) - q.size(1))
                        .output.value());
  }
  return stack(heads, 0);
}

int main() {
  return exercises::exercise([] {
    Generator random(32);
    const auto normal_of = [&](const Shape& shape) { return normal(shape, random, 0, 1, DType::f64); };
    const Tensor who = tensor({{{10}}, {{20}}}, DType::f64);  // the value of the first group is 10, of the second 20
    exercises::expect("four heads, two groups, one word",
                      grouped_attention(ones_like(normal_of({4, 1, 1})), who, who).value(),
                      tensor({{{10}}, {{10}}, {{20}}, {{20}}}, DType::f64),
                      {{tensor({{{10}}, {{20}}, {{10}}, {{20}}}, DType::f64),
                        "The heads take turns: 0, 1, 0, 1. Heads of a group stand side by side: 0, 0, 1, 1. (A file "
                        "with the parameters of a trained model counts on it.)"}});

    const Tensor q = normal_of({4, 3, 2}), k = normal_of({2, 3, 2}), v = normal_of({2, 3, 2});
    const std::vector<int> groups{0, 0, 1, 1};
    exercises::expect(
        "three queries, three keys", grouped_attention(q, k, v).value(), by_head(q, k, v, groups),
        {{by_head(q, k, v, groups, {}), "The first word sees the last one: each may see only those up to itself."},
         {by_head(q, k * std::sqrt(0.5), v, groups), "The scores are divided by √(2·D). It must be the D of a head."}});
    const Tensor last = slice(q, 1, 1, 3), more_k = normal_of({2, 5, 2}), more_v = normal_of({2, 5, 2});
    exercises::expect(
        "two queries, five keys", grouped_attention(last, more_k, more_v).value(),
        by_head(last, more_k, more_v, groups),
        {{by_head(last, more_k, more_v, groups, nn::Mask::causal(), true),
          "The first of these two queries is that of word 4 of 5, and sees four words. The mask has counted queries "
          "from 0."},
         {by_head(last, more_k, more_v, groups, {}), "The first of the two queries sees the last word."}});
    const Tensor six = normal_of({6, 2, 2}), three_k = normal_of({3, 2, 2}), three_v = normal_of({3, 2, 2});
    exercises::expect("six heads, three groups", grouped_attention(six, three_k, three_v).value(),
                      by_head(six, three_k, three_v, {0, 0, 1, 1, 2, 2}));
    const Tensor one_k = normal_of({1, 3, 2}), one_v = normal_of({1, 3, 2});
    exercises::expect("one group for all heads", grouped_attention(q, one_k, one_v).value(),
                      by_head(q, one_k, one_v, {0, 0, 0, 0}));

    const Tensor w = tensor({{1, 0}, {3, 0}, {0, 2}, {0, 6}}, DType::f64);  // four heads, D = 1
    exercises::expect(
        "fewer_keys(W_k, 4, 2), W_k = (1, 0), (3, 0), (0, 2), (0, 6)", fewer_keys(w, 4, 2),
        tensor({{2, 0}, {0, 4}}, DType::f64),
        {{slice(w, 0, 0, 2), "These are the first heads, and the others are forgotten. Take the mean of each group."},
         {tensor({{1, 0}, {0, 2}}, DType::f64), "This is the first head of each group. Take the mean of both."},
         {tensor({{4, 0}, {0, 8}}, DType::f64), "This is the sum. Scores would be twice as large as before."},
         {tensor({{0.5, 1}, {1.5, 3}}, DType::f64), "Heads 0 and 2 have become one. Head 0 shares with 1."}});
    const Tensor tall = tensor({{1}, {2}, {30}, {40}}, DType::f64);
    exercises::expect("fewer_keys(W_k, 2, 1), W_k = (1), (2), (30), (40)", fewer_keys(tall, 2, 1),
                      tensor({{15.5}, {21}}, DType::f64),
                      {{tensor({{1.5}, {35}}, DType::f64),
                        "Here each head has two rows, D = 2: rows 0 and 1 are head 0. You have taken the mean of the "
                        "rows of a head, but it is the mean of the heads, row by row."}});
  });
}

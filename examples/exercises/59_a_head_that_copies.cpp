// 59. A head that copies · grade 2 · chapter 07_heads
//
// Nobody trains this head: you set its weights. A text is a table x with a row for each word, (L, V + L). The first V
// numbers say which word it is, a 1 among zeros; the last L say at which place it stands, again a 1 among zeros.
// Under a causal mask each word shall look at the word before it, and put out which word that is: a row (V) with a 1.
// The first word has none before it, so what it puts out is not looked at.
//
// Trained Transformers have such heads. With one of them and a second layer, a model that has read "A B … A" can say
// that B comes next.
//
// Hint: Query and key need only places, the value needs only words. Which row of W_k makes the key of place 2 equal to
// the query of place 3? And equal is not enough: softmax gives a key whose score is larger by 1 only 2.7 times the
// weight.
#include "examples/exercises/exercise.h"
#include "nn/attention/attention.h"
#include "nn/attention/scores/scaled_dot_product.h"
#include "tensor/all.h"

#include <cmath>

using namespace regard;

struct Head {
  Tensor w_q, w_k, w_v;  // query, key and value of a row x are W_q·x, W_k·x and W_v·x
};

// TODO: return the weights, in f64: w_q and w_k (D, V + L), with a D that you choose, and w_v (V, V + L).
Head copying_head(std::int64_t V, std::int64_t L) {
  const Tensor words = cat({eye(V, DType::f64), zeros({V, L}, DType::f64)}, 1);
  const Tensor places = cat({zeros({L, V}, DType::f64), eye(L, DType::f64)}, 1);
  return {places, places, words};
}

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const std::int64_t V = 4, L = 6;
    const Tensor text = tensor({2, 0, 3, 3, 1, 0}, DType::i64);
    const Tensor words = one_hot(text, V, DType::f64), places = eye(L, DType::f64);
    const Tensor x = cat({words, places}, 1);
    const auto [w_q, w_k, w_v] = copying_head(V, L);
    nn::Attention attention(nn::ScaledDotProduct{});
    const auto behind_the_first = [&](const Tensor& rows) { return Tensor(slice(rows, 0, 1, L)); };
    const Tensor q = matmul(x, transpose(w_q)), k = matmul(x, transpose(w_k)), v = matmul(x, transpose(w_v));
    const Tensor output = attention(q, k, v, nn::Mask::causal()).output.value();
    // What comes out if key j of query i has the score `scores` (i, j)
    const auto looked = [&](const Tensor& scores) {
      const Tensor powers = tril(exp(scores));
      return behind_the_first(matmul(powers / sum(powers, 1, KeepDim::yes), words));
    };
    const Tensor itself = eye(L, DType::f64) / std::sqrt(static_cast<double>(L));
    const Tensor before = cat({zeros({1, L}, DType::f64), Tensor(slice(itself, 0, 0, L - 1))}, 0);
    exercises::expect(
        "which word each one copies, behind the first", behind_the_first(output), Tensor(slice(words, 0, 0, L - 1)),
        {{behind_the_first(words), "Each word looks at itself. Its query should find the place before."},
         {looked(itself), "Each word looks at itself, and at all others nearly as much."},
         {looked(before),
          "It looks at the right place most, and at all others nearly as much: the score is too small."},
         {looked(zeros({L, L}, DType::f64)), "All words that are seen have the same weight: their mean comes out."}},
        1e-3);
  });
}

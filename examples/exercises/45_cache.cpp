// 45. A cache of keys and values · grade 2 · chapter 14_generation
//
// A model writes its 1000th word. The 999 words before it have the same keys and values as in the step before, since
// under a causal mask they see nothing of what comes later. Who computes them again in each step computes 167 million
// scores in place of half a million. So keys and values are kept, and a step is given the new word alone.
// One thing then goes wrong in silence. To each word a row of a table is added, which says where the word stands. The
// new word is given alone. But it does not stand at the beginning: it stands behind all that are kept.
//
// Hint: In the first step nothing is kept: cache.keys.defined() is false. Otherwise cat({…, …}, 0) puts a row behind
// others. Does a word see itself?
#include "autograd/all.h"
#include "examples/book/example.h"
#include "examples/exercises/exercise.h"
#include "nn/attention/attention.h"
#include "nn/attention/scores/scaled_dot_product.h"

#include <cmath>

using namespace regard;

struct Layer {
  Tensor w_q, w_k, w_v;  // (E, E): the query of a row x is x·W_q
  Tensor positions;      // (longest, E): row i is added to the word at place i
};

struct Cache {
  Tensor keys, values;  // (words so far, E); undefined before the first
};

// TODO: the output (1, E) for the new word x (1, E), which looks at itself and at all words before it. The cache is
// brought up to date. The score is q·k/√E. You may use all operations on Tensors.
Tensor step(const Layer& layer, const Tensor& x, Cache& cache) {
  const Tensor row = x + slice(layer.positions, 0, 0, 1);
  const Tensor q = matmul(row, layer.w_q), k = matmul(row, layer.w_k), v = matmul(row, layer.w_v);
  cache.keys = k;
  cache.values = v;
  return matmul(softmax(matmul(q, transpose(cache.keys)) / std::sqrt(x.size(1)), -1), cache.values);
}

// ---- This is what checks it. ----

namespace {

// All words one by one.
Tensor in_steps(const Layer& layer, const Tensor& x) {
  Cache cache;
  std::vector<Tensor> rows;
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    rows.push_back(step(layer, slice(x, 0, i, i + 1), cache));
    exercises::expect(cache.keys.defined() && cache.values.defined(), "Nothing is in the cache after a step.");
    exercises::expect(
        cache.keys.shape() == Shape{i + 1, x.size(1)} && cache.values.shape() == cache.keys.shape(),
        fmt::format("After {} words the cache has keys {} and values {}. Each word brings a row, and none "
                    "is lost.",
                    i + 1, to_string(cache.keys.shape()), to_string(cache.values.shape())));
  }
  return cat(rows, 0);
}

// All words at once, under the causal mask, after these rows were added to them.
Tensor at_once(const Layer& layer, const Tensor& x, const Tensor& positions) {
  const Tensor rows = x + positions;
  nn::Attention attention(nn::ScaledDotProduct{});
  return attention(matmul(rows, layer.w_q), matmul(rows, layer.w_k), matmul(rows, layer.w_v), nn::Mask::causal())
      .output.value();
}

}  // namespace

int main() {
  return exercises::exercise([] {
    const auto numbers = book::numbers;
    const Layer words{book::unit(2) * numbers({{-1, -1}, {1, 0}}), numbers({{1, 0}, {0, 1}}),
                      numbers({{0, 12}, {6, 0}}), zeros({8, 2}, DType::f64)};
    exercises::expect("birds love singing, word by word", in_steps(words, book::three_tokens().x),
                      numbers({{0, 12}, {2, 8}, {3, 9}}),
                      {{numbers({{0, 12}, {4, 4}, {4.5, 9}}),
                        "A word gets the value of another: keys and values are kept in different orders."},
                       {numbers({{0, 12}, {6, 0}, {6, 12}}), "Each word sees only itself."}});
    Generator generator(1);
    const auto random = [&](std::int64_t rows) { return normal({rows, 4}, generator, 0, 1, DType::f64); };
    const Layer layer{random(4), random(4), random(4), random(8)};
    const Tensor x = random(6), &table = layer.positions;
    const Tensor all_first = expand(slice(table, 0, 0, 1), {6, 4});
    exercises::expect("six words with positions, word by word", in_steps(layer, x),
                      at_once(layer, x, slice(table, 0, 0, 6)),
                      {{at_once(layer, x, all_first),
                        "Each word stands at place 0, since you were given it alone. Where does it stand?"},
                       {at_once(layer, x, slice(table, 0, 1, 7)),
                        "Each word stands one place too far. How long is the cache before the word comes in?"},
                       {at_once(layer, x, zeros({6, 4}, DType::f64)), "The words do not know where they stand."}});
  });
}

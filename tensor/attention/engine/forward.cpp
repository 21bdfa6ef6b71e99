#include "tensor/attention/engine/passes.h"

#include "tensor/attention/engine/problem.h"
#include "tensor/attention/engine/products.h"
#include "tensor/attention/engine/softmax_rows.h"
#include "tensor/loops/registers.h"
#include "tensor/matmul/multiply.h"
#include "tensor/memory/scratch.h"
#include "tensor/threads/parallel.h"
#include "tensor/view.h"

namespace regard {

using namespace engine;

namespace {

using matmul_ladder::Matrix;

// Where the results of some queries of a matrix go.
template <class T>
struct Results {
  T* output;
  std::int64_t output_step;
  T *shifts, *shares;
};

// Softmax needs the largest score and the sum of all before it can weigh a single value. One pass over the keys will do
// if both may be corrected later: with the largest score m so far, the sum l and the mixture o of values are kept as
//
//   l = Σ e^(s − m)        o = Σ e^(s − m)·v
//
// and when a tile brings a larger score m′ both are multiplied by e^(m − m′). In the end the output is o/l.
template <class T>
class OnlineSoftmax {
 public:
  OnlineSoftmax(const AttentionProblem<T>& in, const TileScore<T>& score, std::int64_t height)
      : in_(in),
        score_(score),
        block_(in.block_of(score)),
        shift_(height),
        sum_(height),
        mixed_(height * in.value_size),
        queries_(height * in.features),
        step_(step_of_rows<T>(std::min(block_.keys, in.keys))),
        tile_(block_.queries * step_),
        keys_(in.features * step_),
        parameters_(in.features * step_),
        values_(in.value_size * step_),
        dropped_(step_) {}

  // Queries [first, first + count) of one matrix, of one document, as many as the height at most.
  void run(std::int64_t matrix, std::int64_t first, std::int64_t count, const Results<T>& to) {
    std::fill_n(shift_.data(), count, -std::numeric_limits<T>::infinity());
    std::fill_n(sum_.data(), count, T{0});
    std::fill_n(mixed_.data(), count * in_.value_size, T{0});
    const MatrixRows<T> q = dense_rows(in_.q(matrix), first, count, in_.features, queries_.data());
    const KeyRange seen = in_.masking.seen_by(matrix, first, count);
    // Tiles lie in a grid that begins where the sequence does, with the first key that any of its queries sees; or
    // where their document does.
    const std::int64_t origin = std::min(in_.masking.begin_of(matrix, first), seen.first);
    for (std::int64_t j = origin + (seen.first - origin) / block_.keys * block_.keys; j < seen.last; j += block_.keys)
      add_keys(matrix, {first, count, q}, j, std::min(block_.keys, seen.last - j));
    for (std::int64_t i = 0; i < count; ++i) finish_row(matrix, first + i, i, to);
  }

 private:
  // The queries of a run: `count` of them from `first` on, side by side from q.data on.
  struct Queries {
    std::int64_t first, count;
    MatrixRows<T> q;
  };

  // A query that sees nothing gets 0; one that sees only scores of −∞ gets 0/0, NaN, as weights of 0 cannot sum to 1.
  void finish_row(std::int64_t matrix, std::int64_t query, std::int64_t i, const Results<T>& to) {
    const T sum = sum_.data()[i];
    const bool is_blind = sum == 0 && !in_.masking.row(matrix, query).sees_any();
    const T share = is_blind ? 0 : 1 / sum;
    for (std::int64_t c = 0; c < in_.value_size; ++c)
      to.output[i * to.output_step + c] = mixed_.data()[i * in_.value_size + c] * share;
    to.shifts[i] = shift_of(i);
    to.shares[i] = share;
  }

  // All queries of the run against the keys [j, j + count).
  void add_keys(std::int64_t matrix, const Queries& all, std::int64_t j, std::int64_t count) {
    const Tile<T> tile = in_.tile_of_keys(matrix, j, count, keys_.data(), parameters_.data(), score_.key_factor());
    const MatrixRows<T> values = values_of_keys(matrix, j, count);
    for (std::int64_t i = 0; i < all.count; i += block_.queries) {
      const std::int64_t height = std::min(block_.queries, all.count - i);
      SeenPart<T> part = in_.seen_part(tile, matrix, all.first + i, height);
      if (part.is_empty()) continue;
      part.set_queries({all.q.data + i * all.q.step, all.q.step});
      score_.scores(part.tile, tile_.data());
      in_.masking.apply(matrix, part.tile, tile_.data());
      add_block(part, i, {values.data + part.left * values.step, values.step});
    }
  }

  // Values of size 1 are padded with zeros to the length of a row of weights: weights are 0 there, and 0 times what an
  // earlier tile has left might be NaN.
  MatrixRows<T> values_of_keys(std::int64_t matrix, std::int64_t j, std::int64_t count) {
    const MatrixRows<T> all = in_.v(matrix);
    if (in_.value_size != 1) return dense_rows(all, j, count, in_.value_size, values_.data());
    for (std::int64_t n = 0; n < count; ++n) values_.data()[n] = all.data[(j + n) * all.step];
    std::fill(values_.data() + count, values_.data() + padded<T>(count), T{0});
    return {values_.data(), 1};
  }

  void add_block(const SeenPart<T>& part, std::int64_t i, const MatrixRows<T>& values) {
    const Tile<T>& tile = part.tile;
    for (std::int64_t r = 0; r < tile.queries; ++r) {
      T* row = tile_.data() + r * tile.k_step;
      add_row(i + r, row, tile.keys);
      if (!in_.dropout) continue;
      in_.draw_dropout(part.matrix, tile.first_row + r, tile.first_key, tile.real_keys, dropped_.data());
      for (std::int64_t n = 0; n < tile.real_keys; ++n) row[n] *= dropped_.data()[n];
    }
    const Matrix<T> weights{tile_.data(), tile.queries, tile.real_keys, tile.k_step, 1};
    const Matrix<T> seen{values.data, tile.real_keys, in_.value_size, values.step, 1};
    T* mixed = mixed_.data() + i * in_.value_size;
    if (in_.skips_zeros)
      add_without_zeros(weights, seen, mixed, in_.value_size, 1);
    else if (in_.value_size == 1)
      for (std::int64_t r = 0; r < tile.queries; ++r)
        mixed[r] += weighted_sum(weights.data + r * tile.k_step, seen.data, tile.keys);
    else
      for (std::int64_t j = 0; j < weights.columns; j += keys_of_a_sum) add_products(weights, seen, j, mixed);
  }

  // The matrix product cuts long sums into equal parts, so where it cuts depends on how long they are. What a row gives
  // must not depend on how many keys follow that it does not see: here long sums are cut at fixed positions.
  static constexpr std::int64_t keys_of_a_sum = 512;
  void add_products(const Matrix<T>& weights, const Matrix<T>& values, std::int64_t j, T* mixed) const {
    const std::int64_t count = std::min(keys_of_a_sum, weights.columns - j);
    matmul_ladder::multiply(weights.block(0, j, weights.rows, count), values.block(j, 0, count, values.columns), mixed,
                            in_.value_size, true);
  }

  // Adds a row of scores to the sum of a query; the powers overwrite them.
  void add_row(std::int64_t i, T* row, std::int64_t keys) {
    const T largest = loops::largest_of(row, keys);
    T &shift = shift_.data()[i], &sum = sum_.data()[i];
    if (largest > shift) {
      const T factor = change_of_powers(shift, largest);
      sum *= factor;
      for (std::int64_t c = 0; c < in_.value_size; ++c) mixed_.data()[i * in_.value_size + c] *= factor;
      shift = largest;
    }
    sum += row_powers(row, keys, shift_of(i));
  }

  T shift_of(std::int64_t i) { return shift_.data()[i] == nothing ? 0 : shift_.data()[i]; }  // so far all were −∞

  static constexpr T nothing = -std::numeric_limits<T>::infinity();
  const AttentionProblem<T>& in_;
  const TileScore<T>& score_;
  const BlockSize block_;
  Scratch<T> shift_, sum_, mixed_, queries_;
  const std::int64_t step_;
  Scratch<T> tile_, keys_, parameters_, values_, dropped_;
};

// How many queries take their turn at a tile of keys before the next is made ready: as many as make 32 tasks, but from
// 192 to 512, and a block at least.
template <class T>
std::int64_t queries_of_a_task(const AttentionProblem<T>& in, const BlockSize& block) {
  return std::max(block.queries, std::clamp<std::int64_t>(in.matrices * in.queries / 32, 192, 512));
}

// Heads that share keys and have one query each, as in writing, are queries of one head: each key is loaded once for
// all of them. Not where a query's head or position matters.
template <class T>
bool are_queries_of_one_head(const AttentionInputs& in, const TileScore<T>& score) {
  return heads_that_share(in) > 1 && in.q.size(-2) == 1 && in.visible.is_everything() && !in.bias.defined() &&
         !in.dropout && !score.asks_for_places() && (!in.parameters.defined() || in.parameters.rank() <= 2);
}

Tensor as_shape(const Tensor& x, std::int64_t heads, std::int64_t queries) {  // (B, H, 1, …) ↔ (B, G, H/G, …)
  return reshape(x, x.shape().with(1, heads).with(2, queries));
}

template <class T>
AttentionForward forward_by_tiles(const AttentionInputs& inputs, const TileScore<T>& score) {
  const AttentionProblem<T> in(inputs);
  const DType dtype = inputs.q.dtype();
  const Shape rows = inputs.q.shape().without(-1);
  AttentionForward made{empty_beside_heads(inputs.q.shape().with(-1, in.value_size), dtype), empty(rows, dtype),
                        empty(rows, dtype)};
  T *output = made.output.writable<T>(), *shifts = made.shifts.writable<T>(), *shares = made.shares.writable<T>();

  const std::int64_t height = queries_of_a_task(in, in.block_of(score));
  const std::int64_t blocks = (in.queries + height - 1) / height;
  const std::int64_t work = std::min(height, in.queries) * in.keys * (in.features + in.value_size);
  parallel_for(in.matrices * blocks, items_of_a_task(work / multiply_adds_of_a_number),
               [&](std::int64_t begin, std::int64_t end) {
                 OnlineSoftmax<T> softmax(in, score, height);
                 for (std::int64_t task = begin; task < end; ++task) {
                   const std::int64_t matrix = task / blocks, first = task % blocks * height;
                   const std::int64_t query = matrix * in.queries + first;
                   const MatrixRows<T> of_matrix = in.rows(made.output, matrix);
                   T* results = output + (of_matrix.data - output) + first * of_matrix.step;
                   const std::int64_t of_task = std::min(height, in.queries - first);
                   for (std::int64_t i = 0, count = 0; i < of_task; i += count) {
                     count = in.masking.alike(matrix, first + i, of_task - i);
                     softmax.run(
                         matrix, first + i, count,
                         {results + i * of_matrix.step, of_matrix.step, shifts + query + i, shares + query + i});
                   }
                 }
               });
  return made;
}

}  // namespace

template <class T>
AttentionForward attention_forward(const AttentionInputs& in, const TileScore<T>& score) {
  if (in.q.rank() != 4 || !are_queries_of_one_head(in, score)) return forward_by_tiles(in, score);
  AttentionInputs of_groups = in;
  of_groups.q = as_shape(in.q, in.k.size(1), heads_that_share(in));
  const AttentionForward made = forward_by_tiles(of_groups, score);
  const auto of_heads = [&](const Tensor& x) { return as_shape(x, in.q.size(1), 1); };
  return {of_heads(made.output), of_heads(made.shifts), of_heads(made.shares)};
}

// The two that there are; their signature is that of the template.
template decltype(attention_forward<float>) attention_forward<float>;
template decltype(attention_forward<double>) attention_forward<double>;

}  // namespace regard

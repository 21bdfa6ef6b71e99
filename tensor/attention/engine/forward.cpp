#include "tensor/attention/engine/problem.h"
#include "tensor/attention/engine/products.h"
#include "tensor/attention/engine/softmax_rows.h"
#include "tensor/threads/parallel.h"
#include "tensor/memory/scratch.h"
#include "tensor/view.h"

namespace regard {
namespace {

using matmul_ladder::Matrix;
using matmul_ladder::multiply;

// Softmax needs the largest score and the sum of all before it can weigh a single value. One pass over the keys will do if
// both may be corrected later: with the largest score m so far, the sum l and the mixture o of values are kept as
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
        block_(score.block(in.features)),
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

  // Rows [first, first + count) of one matrix, as many as the height at most.
  void run(std::int64_t matrix, std::int64_t first, std::int64_t count, T* output, std::int64_t output_step, T* shifts,
           T* shares) {
    std::fill_n(shift_.data(), count, -std::numeric_limits<T>::infinity());
    std::fill_n(sum_.data(), count, T{0});
    std::fill_n(mixed_.data(), count * in_.value_size, T{0});
    const auto q = in_.dense_rows(in_.q(matrix), first, count, in_.features, queries_.data());
    const KeyRange seen = in_.seen_by(matrix, first, count);
    for (std::int64_t j = seen.first; j < seen.last; j += block_.keys)
      add_tile(matrix, q, first, count, j, std::min(block_.keys, seen.last - j));
    for (std::int64_t i = 0; i < count; ++i) {
      // A query that sees nothing gets 0; one that sees nothing but scores of −∞ gets 0/0, for no weights of 0 sum to 1.
      const T sum = sum_.data()[i];
      const bool is_blind = sum == 0 && !in_.row_sight(matrix, first + i).sees_any();
      const T share = is_blind ? 0 : 1 / sum;
      for (std::int64_t c = 0; c < in_.value_size; ++c)
        output[i * output_step + c] = mixed_.data()[i * in_.value_size + c] * share;
      shifts[i] = shift_of(i);
      shares[i] = share;
    }
  }

 private:
  using Rows = typename AttentionProblem<T>::Rows;

  void add_tile(std::int64_t matrix, const Rows& q, std::int64_t first, std::int64_t count, std::int64_t j,
                std::int64_t real_keys) {
    Tile<T> all = in_.tile(matrix, q, first, count, j, real_keys);
    in_.transpose_keys(in_.k(matrix), j, real_keys, in_.features, keys_.data(), all.k_step,
                       static_cast<T>(score_.key_factor()));
    all.k = keys_.data();
    in_.set_parameters(all, parameters_.data());
    const bool single = in_.value_size == 1 && !in_.drops() && in_.finite;
    if (single) {
      in_.transpose_keys(in_.v(matrix), j, real_keys, 1, values_.data(), all.k_step, 1);
      std::fill(values_.data() + real_keys, values_.data() + all.k_step, T{0});  // the last may be infinite: 0·∞ is NaN
    }
    const Rows values = single ? Rows{} : in_.dense_rows(in_.v(matrix), j, real_keys, in_.value_size, values_.data());
    for (std::int64_t i = 0; i < count; i += block_.queries) {
      auto [tile, left, keys] = in_.seen_part(all, real_keys, matrix, i, std::min(block_.queries, count - i));
      if (keys <= 0) continue;
      tile.q += i * tile.q_step;
      score_.scores(tile, tile_.data(), nullptr);
      in_.mask(tile, matrix, keys, tile_.data());
      if (single)
        for (std::int64_t r = 0; r < tile.queries; ++r)
          mixed_.data()[i + r] += add_row(i + r, tile_.data() + r * tile.k_step, tile.keys, values_.data() + left);
      else
        add_rows(matrix, first, i, tile, {values.data + left * values.step, keys, in_.value_size, values.step, 1});
    }
  }

  void add_rows(std::int64_t matrix, std::int64_t first, std::int64_t i, const Tile<T>& tile, const Matrix<T>& values) {
    for (std::int64_t r = 0; r < tile.queries; ++r) {
      T* row = tile_.data() + r * tile.k_step;
      add_row(i + r, row, tile.keys, nullptr);
      if (!in_.drops()) continue;
      in_.dropout_row(matrix, first + i + r, tile.first_key, values.rows, dropped_.data());
      for (std::int64_t n = 0; n < values.rows; ++n) row[n] *= dropped_.data()[n];
    }
    const Matrix<T> weights{tile_.data(), tile.queries, values.rows, tile.k_step, 1};
    T* mixed = mixed_.data() + i * in_.value_size;
    if (in_.finite)
      multiply(weights, values, mixed, in_.value_size, true);
    else
      add_seen(weights, values, mixed, in_.value_size, 1);
  }

  // Adds a row of scores to the sum of a query; the powers take their place. Where a value is one number the mixture is
  // returned instead, and a second pass over the row is saved: what is subtracted need not be the largest score exactly, so
  // it is looked for in the first tile only, and again if powers get large.
  T add_row(std::int64_t i, T* row, std::int64_t keys, const T* values) {
    if (!values || shift_.data()[i] == nothing) correct(i, row_maximum(row, keys));
    RowSums<T> sums{};
    if (values) {
      sums = row_powers<T, true>(row, values, keys, shift_of(i));
      if (sums.largest > 16) {
        correct(i, row_maximum(row, keys));
        sums = row_powers<T, true>(row, values, keys, shift_of(i));
      }
    } else {
      sums = row_powers<T, false>(row, nullptr, keys, shift_of(i));
    }
    sum_.data()[i] += sums.total;
    return sums.mixed;
  }

  void correct(std::int64_t i, T largest) {
    T& shift = shift_.data()[i];
    if (!(largest > shift)) return;
    const T factor = change_of_powers(shift, largest);
    sum_.data()[i] *= factor;
    for (std::int64_t c = 0; c < in_.value_size; ++c) mixed_.data()[i * in_.value_size + c] *= factor;
    shift = largest;
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

// How many queries take their turn at a tile of keys before the next is made ready: up to 512, as long as there are 32 tasks to
// share out. Which keys stand in a tile depends on it, and so do the last bits of sums: the number of threads must not enter.
template <class T>
std::int64_t queries_of_a_task(const AttentionProblem<T>& in, const BlockSize& block) {
  return std::max(block.queries, std::clamp<std::int64_t>(in.matrices * in.queries / 32, 192, 512));
}

}  // namespace

template <class T>
AttentionForward attention_forward(const AttentionInputs& inputs, const TileScore<T>& score) {
  const AttentionProblem<T> in(inputs);
  Shape rows = inputs.q.shape();
  rows.erase(rows.rank() - 1);
  Shape shape = inputs.q.shape();
  shape[shape.rank() - 1] = in.value_size;
  AttentionForward made{empty_beside_heads(shape, inputs.q.dtype()), empty(rows, inputs.q.dtype()),
                        empty(rows, inputs.q.dtype())};
  T *output = made.output.writable<T>(), *shifts = made.shifts.writable<T>(), *shares = made.shares.writable<T>();

  const std::int64_t height = queries_of_a_task(in, score.block(in.features));
  const std::int64_t blocks = (in.queries + height - 1) / height;
  parallel_for(in.matrices * blocks, 1, [&](std::int64_t begin, std::int64_t end) {
    OnlineSoftmax<T> softmax(in, score, height);
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t matrix = task / blocks, first = task % blocks * height;
      const std::int64_t query = matrix * in.queries + first;
      const auto to = in.rows(made.output, matrix);
      softmax.run(matrix, first, std::min(height, in.queries - first), output + (to.data - output) + first * to.step,
                  to.step, shifts + query, shares + query);
    }
  });
  return made;
}

template AttentionForward attention_forward(const AttentionInputs&, const TileScore<float>&);
template AttentionForward attention_forward(const AttentionInputs&, const TileScore<double>&);

}  // namespace regard

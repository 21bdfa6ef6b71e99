#pragma once

#include "tensor/recurrent/delta_decay.h"

#include <numeric>
#include <utility>

namespace regard::recurrent {

struct DeltaSizes {
  std::int64_t heads, length, features, values;  // of all sequences; L, Dk, Dv
  bool corrects, fades_per_feature;

  std::int64_t chunks() const { return (length + chunk_steps - 1) / chunk_steps; }
};

// Some steps of one head, or their gradients. Null: there is none.
template <class T>
struct DeltaRows {
  T *q, *k, *v, *beta, *log_decay;
};

// One chunk of one head. With S as it is before the chunk, A_i = a_0 · … · a_i and r as in delta_decay.h, step i finds
//   o_i = Sᵀ·(A_i ⊙ q_i) + Σ_{j ≤ i} M(i, j)·u_j       M(i, j) = Σ_d q(i, d)·k(j, d)·r(i, j, d)
// where u_j is what step j has written under its key: v_j, or β_j·(v_j − seen_j). And what it has seen there is
//   seen_i = Sᵀ·(A_i ⊙ k_i) + Σ_{j < i} P(i, j)·u_j    P(i, j) = Σ_d k(i, d)·k(j, d)·r(i, j, d)
// That is a triangular system: u_i needs those before it. At the end  S′ = A_n ⊙ S + Σ_j (r(n, j) ⊙ k_j)·u_jᵀ.
template <class T>
class DeltaChunk {
 public:
  explicit DeltaChunk(const DeltaSizes& sizes)
      : size_(sizes),
        decays_(sizes.features, sizes.fades_per_feature),
        memory_(chunk_steps * (4 * sizes.features + 4 * sizes.values + 3 * chunk_steps) + sizes.features) {}

  // Everything up to u, for `count` steps that find S.
  void look(const DeltaRows<const T>& in, std::int64_t count, const T* state) {
    in_ = in;
    count_ = count;
    decays_.set(in.log_decay, count);
    multiply_each(in.q, decays_.from_start(), q_start_);
    multiply_each(in.k, decays_.from_start(), k_start_);
    multiply_each(in.k, decays_.to_end(), k_end_);
    decays_.pairs(in.q, in.k, mix_);
    if (!size_.corrects) {
      std::copy_n(in.v, count * size_.values, written_);
      return;
    }
    decays_.pairs(in.k, in.k, met_);
    product(keys(k_start_), of_state(state), seen_, false);
    correct();
  }
  void read(const T* state, T* outputs) const {
    const std::int64_t width = size_.values;
    product(keys(q_start_), of_state(state), outputs, false);
    // Only up to the diagonal: what a step writes, NaN too, reaches none before it.
    for (std::int64_t begin = 0; begin < count_; begin += solved_together) {
      const std::int64_t end = std::min(begin + solved_together, count_);
      if (begin > 0)
        product(pairs(mix_).block(begin, 0, end - begin, begin), rows_of<T>(written_, begin, width),
                outputs + begin * width, true);
      for (std::int64_t i = begin; i < end; ++i)
        for (std::int64_t j = begin; j <= i; ++j)
          add_row(mix_[i * count_ + j], written_ + j * width, outputs + i * width);
    }
  }
  void write(T* state) const {
    fade(state);
    product(keys(k_end_).transposed(), values(written_), state, true);
  }

  // After look(): from the gradients of the outputs and of S after the chunk to those of the inputs, and of S before
  // it, in place. A step back along each line above.
  void gradients(const T* state, const T* state_after, const T* to_outputs, T* to_state, const DeltaRows<T>& to) {
    sums_over_values(state_after, to_state);
    product(values(to_outputs), values(written_).transposed(), to_pairs_, false);
    product(pairs(mix_).transposed(), values(to_outputs), to_written_, false);
    product(keys(k_end_), of_state(to_state), to_written_, true);
    product(values(to_outputs), of_state(state).transposed(), to.q, false);
    product(values(written_), of_state(to_state).transposed(), to_read_k_, false);
    fade(to_state);
    product(keys(q_start_).transposed(), values(to_outputs), to_state, true);
    multiply_each(to.q, decays_.from_start(), to.q);
    multiply_each(to_read_k_, decays_.to_end(), to_read_k_);
    decays_.pairs_gradient(to_pairs_, in_.q, in_.k, to.q, to_read_k_);
    std::fill_n(to.k, count_ * size_.features, T{0});
    if (size_.corrects)
      correction_gradients(state, to_state, to);
    else
      std::copy_n(to_written_, count_ * size_.values, to.v);
    if (to.log_decay) decay_gradients(to);
    for (std::int64_t i = 0; i < count_ * size_.features; ++i) to.k[i] += to_read_k_[i];
  }

 private:
  // u_i = β_i·(v_i − seen_i), from the first row to the last. What rows have seen of rows far before is one product.
  void correct() {
    const std::int64_t width = size_.values;
    for (std::int64_t begin = 0; begin < count_; begin += solved_together) {
      const std::int64_t end = std::min(begin + solved_together, count_);
      product(pairs(met_).block(begin, 0, end - begin, begin), rows_of<T>(written_, begin, width),
              seen_ + begin * width, begin > 0);
      for (std::int64_t i = begin; i < end; ++i) {
        T* seen = seen_ + i * width;
        for (std::int64_t j = begin; j < i; ++j) add_row(met_[i * count_ + j], written_ + j * width, seen);
        for (std::int64_t c = 0; c < width; ++c)
          written_[i * width + c] = in_.beta[i] * (in_.v[i * width + c] - seen[c]);
      }
    }
  }

  // The same from the last row to the first: ∂u_j = (from outside) + Σ_{i > j} P(i, j)·∂seen_i, ∂v_j = β_j·∂u_j and
  // ∂seen_j = −∂v_j. Then ∂P(i, j) = ∂seen_i·u_j, and what came through S.
  void correction_gradients(const T* state, T* to_state, const DeltaRows<T>& to) {
    const std::int64_t width = size_.values;
    for (std::int64_t begin = (count_ - 1) / solved_together * solved_together; begin >= 0; begin -= solved_together) {
      const std::int64_t end = std::min(begin + solved_together, count_);
      product(pairs(met_).block(end, begin, count_ - end, end - begin).transposed(),
              rows_of<T>(to_seen_ + end * width, count_ - end, width), to_written_ + begin * width, end < count_);
      for (std::int64_t j = end - 1; j >= begin; --j) {
        T* to_u = to_written_ + j * width;
        for (std::int64_t i = j + 1; i < end; ++i) add_row(met_[i * count_ + j], to_seen_ + i * width, to_u);
        to.beta[j] = 0;
        for (std::int64_t c = 0, at = j * width; c < width; ++c, ++at) {
          to.beta[j] += to_u[c] * (in_.v[at] - seen_[at]);
          to.v[at] = in_.beta[j] * to_u[c];
          to_seen_[at] = -to.v[at];
        }
      }
    }
    product(values(to_seen_), of_state(state).transposed(), to.k, false);
    multiply_each(to.k, decays_.from_start(), to.k);
    product(keys(k_start_).transposed(), values(to_seen_), to_state, true);
    product(values(to_seen_), values(written_).transposed(), to_pairs_, false);
    for (std::int64_t i = 0; i < count_; ++i) to_pairs_[i * count_ + i] = 0;  // a step has not seen what it writes
    decays_.pairs_gradient(to_pairs_, in_.k, in_.k, to.k, to_read_k_);
  }

  // Every decay stands in products from some step to a later one. With C_i = log A_i, a query and a key that looks
  // carry e^{C_i}, a key that is found e^{−C_j}, and S′ e^{C_n}. So ∂C_i = q·∂q + k·(∂k as one that looks) − k·(∂k as
  // one that is found), ∂C_n gets S′·∂S′, and log a_t is in all C_i with i ≥ t: a sum from the end.
  void decay_gradients(const DeltaRows<T>& to) {
    const std::int64_t width = size_.features;
    for (std::int64_t i = count_ - 1; i >= 0; --i) {
      for (std::int64_t d = 0, at = i * width; d < width; ++d, ++at)
        sums_[d] += in_.q[at] * to.q[at] + in_.k[at] * (to.k[at] - to_read_k_[at]);
      if (size_.fades_per_feature)
        std::copy_n(sums_, width, to.log_decay + i * width);
      else
        to.log_decay[i] = std::accumulate(sums_, sums_ + width, T{0});
    }
  }
  void sums_over_values(const T* state_after, const T* to_state) {
    for (std::int64_t d = 0; d < size_.features; ++d)
      sums_[d] = matmul_ladder::dot(state_after + d * size_.values, to_state + d * size_.values, size_.values);
  }

  void fade(T* state) const {
    const T* left = decays_.from_start() + (count_ - 1) * size_.features;
    for (std::int64_t d = 0; d < size_.features; ++d)
      for (std::int64_t c = 0; c < size_.values; ++c) state[d * size_.values + c] *= left[d];
  }
  void multiply_each(const T* x, const T* factors, T* y) const {
    for (std::int64_t i = 0; i < count_ * size_.features; ++i) y[i] = x[i] * factors[i];
  }
  void add_row(T factor, const T* __restrict row, T* __restrict to) const {
    for (std::int64_t c = 0; c < size_.values; ++c) to[c] += factor * row[c];
  }
  static void product(const Matrix<T>& a, const Matrix<T>& b, T* c, bool accumulate) {
    if (a.rows > 0 && a.columns > 0) matmul_ladder::multiply(a, b, c, b.columns, accumulate);
  }
  Matrix<T> keys(const T* x) const { return rows_of(x, count_, size_.features); }
  Matrix<T> values(const T* x) const { return rows_of(x, count_, size_.values); }
  Matrix<T> pairs(const T* x) const { return rows_of(x, count_, count_); }
  Matrix<T> of_state(const T* x) const { return rows_of(x, size_.features, size_.values); }

  static constexpr std::int64_t solved_together = 8;
  DeltaSizes size_;
  DeltaRows<const T> in_ = {};
  std::int64_t count_ = 0;
  Decays<T> decays_;
  Scratch<T> memory_;
  T* free_ = memory_.data();
  T* take(std::int64_t columns) { return std::exchange(free_, free_ + chunk_steps * columns); }
  T *q_start_ = take(size_.features), *k_start_ = take(size_.features), *k_end_ = take(size_.features),
    *to_read_k_ = take(size_.features);
  T *seen_ = take(size_.values), *written_ = take(size_.values), *to_seen_ = take(size_.values),
    *to_written_ = take(size_.values);
  T *mix_ = take(chunk_steps), *met_ = take(chunk_steps), *to_pairs_ = take(chunk_steps), *sums_ = free_;
};

}  // namespace regard::recurrent

#pragma once

#include "tensor/attention/3_tiles.h"
#include "tensor/attention/dual_functions.h"

namespace regard::attention_ladder {

// Rung 4: any score that is a sum over features of one function f, with a parameter θ_c for each feature:
//
//   sᵢⱼ = Σ_c f(q_ic, k_jc, θ_c)
//
// f is written once, as a generic lambda, and rung 3 does the rest:
//
//   [](auto q, auto k, auto theta) { return theta * (q * k); }          the dot product, with θ_c = scale
//   [](auto q, auto k, auto theta) { return theta * tanh(q + k); }      additive attention
//   [](auto q, auto k, auto theta) { return -theta * square(q - k); }   nearness
//
// (In additive attention, w_vᵀ tanh(W_q q + W_k k), the q and k that arrive here are W_q q and W_k k already, and θ is
// w_v.)
//
// f is called with two kinds of numbers. For the scores they are Packs (pack.h): as many numbers as a register holds,
// the same feature of neighbouring keys. In memory a key's features lie side by side; so the keys of a tile are first
// copied, transposed.
//
// For the gradients they are dual numbers (dual.h). A dual number carries its three slopes along, (value; ∂/∂q, ∂/∂k,
// ∂/∂θ). With f = θ·(q·k) at q = 2, k = 3, θ = 0.5:
//
//   q = (2; 1, 0, 0)      k = (3; 0, 1, 0)      θ = (0.5; 0, 0, 1)
//   q·k = (6; 3, 2, 0)    θ·(q·k) = (3; 1.5, 1, 6)
//
// and indeed ∂f/∂q = θ·k = 1.5, ∂f/∂k = θ·q = 1 and ∂f/∂θ = q·k = 6. So nobody has to write a derivative.
//
// Memory: beside what rung 3 holds, the copy of a tile's keys and the gradients of that copy, 2·128·D numbers: 176 KiB
// in all for 4096 positions of 64 features in f32.
// Time: with the dot product for a score 2.1 times that of rung 3 forward, and 3.7 times forward and gradient. That is
// the price of any score: scores and their gradients are no longer products of matrices.
template <class T, class F>
struct FeatureScore {
  F f;
  const T* theta;  // (D)

  using P = engine::Pack<T>;

  void scores(const Operands<T>& in, const Tile& tile, T* scores) const {
    Scratch<T> keys(in.features * tile_keys);
    copy_keys(in, tile, keys.data());
    for (std::int64_t r = 0; r < tile.queries; ++r) {
      const T* query = in.query(tile.first_query + r);
      for (std::int64_t n = 0; n < tile.keys; n += P::size) {
        P sum = 0;
        for (std::int64_t c = 0; c < in.features; ++c)
          sum = sum + f(P(query[c]), P::load(keys.data() + c * tile_keys + n), P(theta[c]));
        sum.store(scores + r * tile_keys + n);
      }
    }
  }

  // ∂q_ic = Σⱼ ∂sᵢⱼ·∂f/∂q, and so for k, where the sum is over queries, and θ, where it is over all pairs.
  void gradients(const Operands<T>& in, const Tile& tile, T* to_scores, const Gradients<T>& to) const {
    Scratch<T> keys(in.features * tile_keys), to_keys(in.features * tile_keys);
    copy_keys(in, tile, keys.data());
    std::fill_n(to_keys.data(), in.features * tile_keys, T{0});
    for (std::int64_t r = 0; r < tile.queries; ++r) {
      const std::int64_t i = tile.first_query + r;
      std::fill(to_scores + r * tile_keys + tile.keys, to_scores + (r + 1) * tile_keys, T{0});  // the last Pack's rest
      for (std::int64_t c = 0; c < in.features; ++c) {
        const engine::Dual<P, P, engine::Zero, engine::Zero> q{in.query(i)[c], 1, {}, {}};
        const engine::Dual<P, engine::Zero, engine::Zero, P> parameter{theta[c], {}, {}, 1};
        P to_q = 0, to_theta = 0;
        for (std::int64_t n = 0; n < tile.keys; n += P::size) {
          T* to_k = to_keys.data() + c * tile_keys + n;
          const engine::Dual<P, engine::Zero, P, engine::Zero> k{P::load(keys.data() + c * tile_keys + n), {}, 1, {}};
          const auto score = f(q, k, parameter);
          const P to_score = P::load(to_scores + r * tile_keys + n);
          to_q = to_q + seen_part(to_score, score.q);
          (P::load(to_k) + seen_part(to_score, score.k)).store(to_k);
          to_theta = to_theta + seen_part(to_score, score.p);
        }
        to.q[i * in.features + c] += sum_of_lanes(to_q);
        if (to.theta) to.theta[c] += sum_of_lanes(to_theta);
      }
    }
    for (std::int64_t n = 0; n < tile.keys; ++n)
      for (std::int64_t c = 0; c < in.features; ++c)
        to.k[(tile.first_key + n) * in.features + c] += to_keys.data()[c * tile_keys + n];
  }

 private:
  // Feature c of key n at c·tile_keys + n; the last Pack is filled up with the last key.
  static void copy_keys(const Operands<T>& in, const Tile& tile, T* columns) {
    const std::int64_t whole = (tile.keys + P::size - 1) / P::size * P::size;
    for (std::int64_t n = 0; n < whole; ++n)
      for (std::int64_t c = 0; c < in.features; ++c)
        columns[c * tile_keys + n] = in.key(tile.first_key + std::min(n, tile.keys - 1))[c];
  }

  // ∂s·slope, and 0 where ∂s is 0: the pair may be hidden, and its slope NaN.
  static P seen_part(P to_score, P slope) { return P::where_not_zero(to_score, to_score * slope); }
  static P seen_part(P, engine::Zero) { return 0; }  // f does without this argument
};

}  // namespace regard::attention_ladder

#pragma once

#include "tensor/attention/dual_functions.h"
#include "tensor/attention/tile.h"

#include <algorithm>
#include <type_traits>

namespace regard {

// Derivatives of a score, for each key of a pack.
template <class P>
struct Slopes {
  P q, k, p = 0;
};

// The score Σ_c f(q_c, k_c, θ_c) over a tile, for any function f that is written once, as a generic lambda:
//   [](auto q, auto k, auto w) { return -w * abs(q - k); }
// It is called with Packs for the scores, and with Duals of Packs for the gradients. This is all of attention that is compiled
// anew for each f. An f that knows its derivatives better has a member slopes(q, k, θ), which returns them as Slopes.
template <class T, class F>
class FeatureTiles final : public TileScore<T> {
 public:
  explicit FeatureTiles(F f) : f_(std::move(f)) {}

  void scores(const Tile<T>& tile, T* scores, T*) const override {
    tile.parameters_per_key ? scores_of<true>(tile, scores) : scores_of<false>(tile, scores);
  }
  void gradients(const Tile<T>& tile, const T* gradient, const TileGradients<T>& to) const override {
    if (to.q || to.k)
      tile.parameters_per_key ? gradients_of<true, true>(tile, gradient, to)
                              : gradients_of<true, false>(tile, gradient, to);
    else if (to.parameters)
      tile.parameters_per_key ? gradients_of<false, true>(tile, gradient, to)
                              : gradients_of<false, false>(tile, gradient, to);
  }
  // The keys of a tile and their scores should both stay in the first-level cache.
  BlockSize block(std::int64_t features) const override {
    const std::int64_t room = (1 << 14) / static_cast<std::int64_t>(sizeof(T));
    const std::int64_t keys =
        std::clamp(room / std::max<std::int64_t>(features, 1), 2 * key_multiple<T>, 8 * key_multiple<T>);
    return {room / keys, keys / key_multiple<T> * key_multiple<T>};
  }

 private:
  using P = Pack<T>;
  static constexpr int width = P::size, packs = static_cast<int>(key_multiple<T>) / width;
  static constexpr bool has_parameters = std::is_invocable_v<F, P, P, P>;

  template <class Q, class K, class Theta>
  [[gnu::always_inline]] auto call(const Q& q, const K& k, const Theta& theta) const {
    if constexpr (has_parameters)
      return f_(q, k, theta);
    else
      return f_(q, k);
  }

  template <class Q, class K, class Theta>
  [[gnu::always_inline]] auto slopes(const Q& q, const K& k, const Theta& theta) const {
    if constexpr (requires { f_.slopes(q.value, k.value, theta.value); })
      return f_.slopes(q.value, k.value, theta.value);
    else if constexpr (requires { f_.slopes(q.value, k.value); } && !has_parameters)
      return f_.slopes(q.value, k.value);
    else
      return call(q, k, theta);
  }

  template <bool per_key>
  static P parameter(const Tile<T>& tile, std::int64_t c, std::int64_t j) {
    if constexpr (!has_parameters) return 0;
    return per_key ? P::load(tile.parameters + c * tile.k_step + j) : P(tile.parameters[c]);
  }

  // Each sum over the features stays in a register, for `packs` packs of keys at a time.
  template <bool per_key>
  [[gnu::flatten]] void scores_of(const Tile<T>& tile, T* scores) const {
    for (std::int64_t i = 0; i < tile.queries; ++i)
      for (std::int64_t j = 0; j < tile.keys; j += packs * width) {
        P sum[packs];
        for (P& one : sum) one = 0;
        for (std::int64_t c = 0; c < tile.features; ++c) {
          const P q = tile.q[i * tile.q_step + c];
          const T* k = tile.k + c * tile.k_step + j;
#pragma GCC unroll 4
          for (int n = 0; n < packs; ++n)
            sum[n] = sum[n] + call(q, P::load(k + n * width), parameter<per_key>(tile, c, j + n * width));
        }
#pragma GCC unroll 4
        for (int n = 0; n < packs; ++n) sum[n].store(scores + i * tile.k_step + j + n * width);
      }
  }

  // A pair of which the gradient is 0 adds nothing, even if it is masked and holds NaN: 0·NaN is not 0.
  template <class D>
  static P share(P gradient, const D& derivative) {
    if constexpr (std::is_same_v<D, Zero>)
      return 0;
    else
      return P::where_not_zero(gradient, gradient * derivative);
  }
  static void add(T* to, P more) { (P::load(to) + more).store(to); }

  // A few queries share what is loaded of a key, and add to its gradient once. Where there are fewer, others take part with a
  // gradient of 0.
  template <bool for_pairs, bool per_key>
  [[gnu::flatten]] void gradients_of(const Tile<T>& tile, const T* gradient, const TileGradients<T>& to) const {
    using Seed = std::conditional_t<for_pairs, P, Zero>;
    const auto seed = [] {
      if constexpr (for_pairs)
        return P(1);
      else
        return Zero{};
    };
    constexpr int together = 4;
    static constexpr T nothing[8 * key_multiple<T>] = {};
    const bool for_parameters = has_parameters && to.parameters;
    for (std::int64_t i = 0; i < tile.queries; i += together) {
      const std::int64_t real = std::min<std::int64_t>(together, tile.queries - i);
      const T* g[together];
      for (int r = 0; r < together; ++r) g[r] = r < real ? gradient + (i + r) * tile.k_step : nothing;
      for (std::int64_t c = 0; c < tile.features; ++c) {
        P q[together], to_q[together], to_shared = 0;
        for (int r = 0; r < together; ++r)
          q[r] = tile.q[std::min(i + r, tile.queries - 1) * tile.q_step + c], to_q[r] = 0;
        for (std::int64_t j = 0; j < tile.keys; j += width) {
          const std::int64_t at = c * tile.k_step + j;
          const Dual<P, Zero, Seed, Zero> k{P::load(tile.k + at), {}, seed(), {}};
          const Dual<P, Zero, Zero, P> theta{parameter<per_key>(tile, c, j), {}, {}, 1};
          P to_k = 0, to_own = 0;
#pragma GCC unroll 4
          for (int r = 0; r < together; ++r) {
            const auto y = slopes(Dual<P, Seed, Zero, Zero>{q[r], seed(), {}, {}}, k, theta);
            const P upstream = P::load(g[r] + j);
            if constexpr (for_pairs) {
              to_q[r] = to_q[r] + share(upstream, y.q);
              to_k = to_k + share(upstream, y.k);
            }
            to_own = to_own + share(upstream, y.p);
          }
          if (for_pairs && to.k) add(to.k + at, to_k);
          if (for_parameters && per_key)
            add(to.parameters + at, to_own);
          else
            to_shared = to_shared + to_own;
        }
        for (int r = 0; for_pairs && to.q && r < real; ++r) to.q[(i + r) * to.q_step + c] += sum_of_lanes(to_q[r]);
        if (for_parameters && !per_key) add(to.parameters + c * width, to_shared);
      }
    }
  }

  F f_;
};

}  // namespace regard

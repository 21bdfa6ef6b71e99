#pragma once

#include "tensor/attention/dual_functions.h"
#include "tensor/attention/engine/tile.h"

#include <algorithm>
#include <type_traits>

namespace regard::engine {

// Derivatives of a score, for each key of a pack.
template <class P>
struct Slopes {
  P q, k, p = 0;
};

// The score Σ_c f(q_c, k_c, θ_c) over a tile, for any function f that is written once, as a generic lambda:
//   [](auto q, auto k, auto w) { return -w * abs(q - k); }
// It is called with Packs for the scores, and with Duals of Packs for the gradients. This is all of attention that is
// compiled anew for each f. An f that knows its derivatives better has a member slopes(q, k, θ), which returns them as
// Slopes.
template <class T, class F>
class FeatureTiles final : public TileScore<T> {
 public:
  explicit FeatureTiles(F f) : f_(std::move(f)) { math::library_has_vectors_of_bytes<math::vector_bytes>(); }

  void scores(const Tile<T>& tile, T* scores) const override {
    if constexpr (has_parameters)
      if (tile.parameters_per_key) return scores_of<true>(tile, scores);
    scores_of<false>(tile, scores);
  }
  void gradients(const Tile<T>& tile, const T* gradient, const TileGradients<T>& to) const override {
    if (to.q || to.k || to.parameters)
      tile.skips_zeros ? gradients_with<true>(tile, gradient, to) : gradients_with<false>(tile, gradient, to);
  }

  bool may_have_infinite_slopes() const override { return true; }  // as √ has, and log

  // The keys of a tile and their scores should both stay in the first-level cache.
  BlockSize block(std::int64_t features) const override {
    const std::int64_t room = (1 << 14) / static_cast<std::int64_t>(sizeof(T));
    const std::int64_t keys = std::clamp(room / std::max<std::int64_t>(features, 1), 4 * key_multiple<T>, most_keys);
    return {room / keys, keys / key_multiple<T> * key_multiple<T>};
  }

 private:
  using P = Pack<T>;
  static constexpr int width = P::size, together = 4;
  static constexpr std::int64_t most_keys = 32 * key_multiple<T>;
  static constexpr bool has_parameters = std::is_invocable_v<F, P, P, P>;

  template <class Q, class K, class Theta>
  [[gnu::always_inline]] static auto call(const F& f, const Q& q, const K& k, const Theta& theta) {
    if constexpr (has_parameters)
      return f(q, k, theta);
    else
      return f(q, k);
  }

  template <class Q, class K, class Theta>
  [[gnu::always_inline]] static auto slopes(const F& f, const Q& q, const K& k, const Theta& theta) {
    if constexpr (requires { f.slopes(q.value, k.value, theta.value); })
      return f.slopes(q.value, k.value, theta.value);
    else if constexpr (requires { f.slopes(q.value, k.value); } && !has_parameters)
      return f.slopes(q.value, k.value);
    else
      return call(f, q, k, theta);
  }

  template <bool per_key>
  static P parameter(const Tile<T>& tile, std::int64_t c, std::int64_t j) {
    if constexpr (!has_parameters) return 0;
    return per_key ? P::load(tile.parameters + c * tile.k_step + j) : P(tile.parameters[c]);
  }

  // A few queries at a time share what is loaded of a key, and each sum over the features stays in a register. Where
  // there are fewer, the last one takes part again, and the same numbers are stored twice.
  template <bool per_key>
  [[gnu::flatten]] void scores_of(const Tile<T>& given, T* scores) const {
    constexpr int packs = 2;
    // Copies: the compiler knows that storing scores does not change them, and makes their numbers ready once.
    const Tile<T> tile = given;
    const F f = f_;
    for (std::int64_t i = 0; i < tile.queries; i += together) {
      const T* q[together];
      T* to[together];
      for (int r = 0; r < together; ++r) {
        const std::int64_t row = std::min(i + r, tile.queries - 1);
        q[r] = tile.q + row * tile.q_step;
        to[r] = scores + row * tile.k_step;
      }
      for (std::int64_t j = 0; j < tile.keys; j += packs * width) {
        P sum[together * packs];
#pragma GCC unroll 8
        for (int n = 0; n < together * packs; ++n) sum[n] = 0;
        for (std::int64_t c = 0; c < tile.features; ++c)
#pragma GCC unroll 8
          for (int n = 0; n < together * packs; ++n) {
            const std::int64_t at = j + n / together * width;
            sum[n] = sum[n] + call(f, P(q[n % together][c]), P::load(tile.k + c * tile.k_step + at),
                                   parameter<per_key>(tile, c, at));
          }
#pragma GCC unroll 8
        for (int n = 0; n < together * packs; ++n) sum[n].store(to[n % together] + j + n / together * width);
      }
    }
  }

  template <bool skips_zeros>
  void gradients_with(const Tile<T>& tile, const T* gradient, const TileGradients<T>& to) const {
    if constexpr (has_parameters) {
      const bool per_key = tile.parameters_per_key;
      if (!to.q && !to.k)
        return per_key ? gradients_of<skips_zeros, false, true>(tile, gradient, to)
                       : gradients_of<skips_zeros, false, false>(tile, gradient, to);
      if (per_key) return gradients_of<skips_zeros, true, true>(tile, gradient, to);
    }
    gradients_of<skips_zeros, true, false>(tile, gradient, to);
  }

  // sum + gradient·derivative. Where zeros are skipped, a pair of which the gradient is 0 adds nothing, even if its
  // derivative is NaN.
  template <bool skips_zeros, class D>
  [[gnu::always_inline]] static P with_share(P sum, P gradient, const D& derivative) {
    if constexpr (std::is_same_v<D, Zero>)
      return sum;
    else if constexpr (skips_zeros)
      return sum + P::where_not_zero(gradient, gradient * derivative);
    else
      return sum + gradient * derivative;
  }
  static void add(T* to, P more) { (P::load(to) + more).store(to); }

  // A few queries share what is loaded of a key, and add to its gradient once. Where there are fewer, the last takes
  // part again, with a gradient of 0.
  struct Group {
    std::int64_t first, real;  // queries [first, first + real)
    const T* g[together];      // the gradients of their scores
  };
  static Group group_of(const Tile<T>& tile, const T* gradient, std::int64_t first) {
    static constexpr T nothing[most_keys] = {};
    Group group{first, std::min<std::int64_t>(together, tile.queries - first), {}};
    for (int r = 0; r < together; ++r) group.g[r] = r < group.real ? gradient + (first + r) * tile.k_step : nothing;
    return group;
  }

  template <bool skips_zeros, bool for_pairs, bool per_key>
  [[gnu::flatten]] void gradients_of(const Tile<T>& given, const T* gradient, const TileGradients<T>& given_to) const {
    const Tile<T> tile = given;  // copies, as above
    const TileGradients<T> to = given_to;
    const F f = f_;
    for (std::int64_t i = 0; i < tile.queries; i += together) {
      const Group group = group_of(tile, gradient, i);
      for (std::int64_t c = 0; c < tile.features; ++c)
        add_feature<skips_zeros, for_pairs, per_key>(f, tile, group, c, to);
    }
  }

  // What feature c of all keys contributes: to the queries of the group a sum each, to each key a sum over the group.
  template <bool skips_zeros, bool for_pairs, bool per_key>
  [[gnu::always_inline]] static void add_feature(const F& f, const Tile<T>& tile, const Group& group, std::int64_t c,
                                                 const TileGradients<T>& to) {
    using Seed = std::conditional_t<for_pairs, P, Zero>;  // dq/dq = dk/dk = 1, where the gradients of pairs are wanted
    const bool for_parameters = has_parameters && to.parameters;
    P q[together], to_q[together], to_shared = 0;
#pragma GCC unroll 4
    for (int r = 0; r < together; ++r) {
      q[r] = tile.q[std::min(group.first + r, tile.queries - 1) * tile.q_step + c];
      to_q[r] = 0;
    }
    for (std::int64_t j = 0; j < tile.keys; j += width) {
      const std::int64_t at = c * tile.k_step + j;
      const Dual<P, Zero, Seed, Zero> k{P::load(tile.k + at), {}, Seed(1), {}};
      const Dual<P, Zero, Zero, P> theta{parameter<per_key>(tile, c, j), {}, {}, 1};
      P to_k = 0, to_own = 0;
#pragma GCC unroll 4
      for (int r = 0; r < together; ++r) {
        const auto y = slopes(f, Dual<P, Seed, Zero, Zero>{q[r], Seed(1), {}, {}}, k, theta);
        const P upstream = P::load(group.g[r] + j);
        if constexpr (for_pairs) {
          to_q[r] = with_share<skips_zeros>(to_q[r], upstream, y.q);
          to_k = with_share<skips_zeros>(to_k, upstream, y.k);
        }
        to_own = with_share<skips_zeros>(to_own, upstream, y.p);
      }
      if (for_pairs && to.k) add(to.k + at, to_k);
      if (for_parameters && per_key)
        add(to.parameters + at, to_own);
      else
        to_shared = to_shared + to_own;
    }
    if (for_pairs && to.q)
#pragma GCC unroll 4
      for (int r = 0; r < together; ++r)
        if (r < group.real) to.q[(group.first + r) * to.q_step + c] += sum_of_lanes(to_q[r]);
    if (for_parameters && !per_key) add(to.parameters + c * width, to_shared);
  }

  F f_;
};

}  // namespace regard::engine

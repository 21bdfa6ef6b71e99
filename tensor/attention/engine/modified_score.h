#pragma once

#include "tensor/attention/dual_functions.h"
#include "tensor/attention/engine/tile.h"

#include <memory>

namespace regard::engine {

// A modifier without a number of its own.
inline constexpr std::int64_t no_line = -1;

// The score m(s, i, j, h) over a tile, where s is another score of query i and key j in head h, and m a generic lambda:
//   [](auto s, auto i, auto j, auto) { return s - 0.5 * abs(i - j); }
// Or m(s, i, j, h, n), where n is a number of this pair that learns, and stands in a line of numbers (inputs.h).
//
// A tile is computed twice, forward and backward. On the way back m is called with dual numbers: they give the slopes
// ∂m/∂s and ∂m/∂n of each pair, and these are kept, a plane of the tile each, until the gradients are there.
template <class T, class M>
class ModifiedTiles final : public TileScore<T> {
 public:
  ModifiedTiles(std::shared_ptr<const TileScore<T>> inner, M modify, std::int64_t line = no_line)
      : inner_(std::move(inner)), modify_(std::move(modify)), line_(line) {}

  void scores(const Tile<T>& tile, T* scores) const override {
    inner_->scores(inner_tile(tile), scores);
    tile.slopes ? modify<true>(tile, scores) : modify<false>(tile, scores);
  }

  // ∂L/∂s = ∂L/∂m · ∂m/∂s overwrites ∂m/∂s, and goes on to the inner score.
  void gradients(const Tile<T>& tile, const T* gradient, const TileGradients<T>& to) const override {
    if (has_number && to.lines) add_to_line(tile, gradient, to.lines + line_ * tile.lines_step);
    for (std::int64_t i = 0; i < tile.queries; ++i)
      for (std::int64_t at = i * tile.k_step; at < i * tile.k_step + tile.keys; at += P::size)
        share(gradient + at, tile.slopes + at).store(tile.slopes + at);
    inner_->gradients(inner_tile(tile), tile.slopes, to);
  }

  BlockSize block(std::int64_t features) const override { return inner_->block(features); }
  double key_factor() const override { return inner_->key_factor(); }
  bool wants_key_rows() const override { return inner_->wants_key_rows(); }
  std::int64_t planes() const override { return own_planes + inner_->planes(); }
  bool asks_for_places() const override { return true; }
  bool may_have_infinite_slopes() const override { return inner_->may_have_infinite_slopes(); }

 private:
  using P = Pack<T>;
  template <class Slope, class NumberSlope>
  using Pair = Dual<P, Slope, Zero, NumberSlope>;  // slopes for the score (q) and for the number (p)
  static constexpr bool has_number = std::is_invocable_v<M, P, P, P, P, P>;
  static constexpr std::int64_t own_planes = has_number ? 2 : 1;

  static Tile<T> inner_tile(Tile<T> tile) {
    if (tile.slopes) tile.slopes += own_planes * tile.plane();
    return tile;
  }

  template <bool with_slopes>
  [[gnu::flatten]] void modify(const Tile<T>& given, T* scores) const {
    const Tile<T> tile = given;  // copies: the compiler knows that storing scores does not change them
    const M m = modify_;
    alignas(sizeof(P)) T numbered[P::size];
    for (int n = 0; n < P::size; ++n) numbered[n] = static_cast<T>(n);
    const P head = static_cast<T>(tile.head), from_first = P::load(numbered);
    for (std::int64_t i = 0; i < tile.queries; ++i) {
      const P query = static_cast<T>(tile.first_query + i);
      const T* numbers = has_number ? tile.lines + line_ * tile.lines_step - i : nullptr;
      for (std::int64_t j = 0; j < tile.keys; j += P::size) {
        const P key = static_cast<T>(tile.first_key + j) + from_first;
        const std::int64_t at = i * tile.k_step + j;
        const P score = P::load(scores + at), number = has_number ? P::load(numbers + j) : P(0);
        if constexpr (with_slopes) {
          const auto y = call(m, Pair<P, Zero>{score, 1, {}, {}}, query, key, head, Pair<Zero, P>{number, {}, {}, 1});
          y.value.store(scores + at);
          slope(y.q).store(tile.slopes + at);
          if constexpr (has_number) slope(y.p).store(tile.slopes + tile.plane() + at);
        } else {
          call(m, score, query, key, head, number).store(scores + at);
        }
      }
    }
  }

  template <class S, class N>
  [[gnu::always_inline]] static auto call(const M& m, const S& s, P i, P j, P h, const N& number) {
    if constexpr (has_number)
      return m(s, i, j, h, number);
    else
      return m(s, i, j, h);
  }
  static P slope(Zero) { return 0; }
  static P slope(P x) { return x; }

  // gradient·slope; a gradient of 0 adds nothing, even if the slope is infinite.
  static P share(const T* gradient, const T* slope) {
    const P g = P::load(gradient);
    return P::where_not_zero(g, g * P::load(slope));
  }

  void add_to_line(const Tile<T>& tile, const T* gradient, T* line) const {
    const T* slopes = tile.slopes + tile.plane();
    for (std::int64_t i = 0; i < tile.queries; ++i)
      for (std::int64_t j = 0; j < tile.keys; j += P::size) {
        const std::int64_t at = i * tile.k_step + j;
        T* to = line + j - i;
        (P::load(to) + share(gradient + at, slopes + at)).store(to);
      }
  }

  std::shared_ptr<const TileScore<T>> inner_;
  M modify_;
  std::int64_t line_;
};

}  // namespace regard::engine

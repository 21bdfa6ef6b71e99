#pragma once

#include "tensor/attention/dual_functions.h"
#include "tensor/attention/engine/tile.h"
#include "tensor/memory/scratch.h"

#include <memory>

namespace regard::engine {

// Which line of numbers a modifier reads, if any, and whether it is one of tokens (inputs.h).
struct NumberAt {
  std::int64_t line = -1;
  bool of_tokens = false;
};

// The score m(s, i, j, h) over a tile, where s is another score of query i and key j in head h, and m a generic lambda:
//   [](auto s, auto i, auto j, auto) { return s - 0.5 * abs(i - j); }
// Or m(s, i, j, h, n), where n is a number of this pair that learns, and stands in a line of numbers (inputs.h).
//
// A tile is computed twice, forward and backward. On the way back m is called with dual numbers: they give the slopes
// ∂m/∂s and ∂m/∂n of each pair, and these are kept, a plane of the tile each, until the gradients are there. An m that
// only adds n to s has no other slopes than 1. If it says so, by a member `only_adds` that is true, nothing is kept and
// gradients are handed on as they are.
template <class T, class M>
class ModifiedTiles final : public TileScore<T> {
 public:
  ModifiedTiles(std::shared_ptr<const TileScore<T>> inner, M modify, const NumberAt& number = {})
      : inner_(std::move(inner)), modify_(std::move(modify)), number_(number) {}

  void scores(const Tile<T>& tile, T* scores) const override {
    inner_->scores(inner_tile(tile), scores);
    tile.slopes ? modify<keeps_slopes>(tile, scores) : modify<false>(tile, scores);
  }

  // ∂L/∂s = ∂L/∂m · ∂m/∂s overwrites ∂m/∂s, and goes on to the inner score.
  void gradients(const Tile<T>& tile, const T* gradient, const TileGradients<T>& to) const override {
    if (has_number && to.lines) {
      T* line = to.lines + number_.line * tile.lines_step;
      number_.of_tokens ? add_to_tokens(tile, gradient, line) : add_to_line(tile, gradient, line);
    }
    if (!keeps_slopes) return inner_->gradients(inner_tile(tile), gradient, to);
    for (std::int64_t i = 0; i < tile.queries; ++i)
      for (std::int64_t at = i * tile.k_step; at < i * tile.k_step + tile.keys; at += P::size)
        share(gradient, tile.slopes, at).store(tile.slopes + at);
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
  static constexpr bool keeps_slopes = !requires { requires M::only_adds; };
  static constexpr std::int64_t own_planes = keeps_slopes ? (has_number ? 2 : 1) : 0;

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
    Scratch<T> of_row(has_number && number_.of_tokens ? tile.keys : 0);
    for (std::int64_t i = 0; i < tile.queries; ++i) {
      const P query = static_cast<T>(tile.first_query + i);
      const T* numbers = has_number ? numbers_of_row(tile, i, of_row.data()) : nullptr;
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

  // The numbers of query i with each key of the tile. Those of tokens are sums: first of what is large, and may cancel,
  // then of what rounding took off.
  const T* numbers_of_row(const Tile<T>& tile, std::int64_t i, T* memory) const {
    const T* line = tile.lines + number_.line * tile.lines_step;
    if (!number_.of_tokens) return line - i;
    const T *query = tile.of_queries(line) + i, *keys = tile.of_keys(line), *rests = keys + tile.rests;
    const P high = query[0], rest = query[tile.rests];
    for (std::int64_t j = 0; j < tile.keys; j += P::size)
      ((high + P::load(keys + j)) + (rest + P::load(rests + j))).store(memory + j);
    return memory;
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
  static P share(const T* gradient, const T* slopes, std::int64_t at) {
    const P g = P::load(gradient + at);
    if constexpr (keeps_slopes)
      return P::where_not_zero(g, g * P::load(slopes + at));
    else
      return g;
  }

  void add_to_line(const Tile<T>& tile, const T* gradient, T* line) const {
    const T* slopes = keeps_slopes ? tile.slopes + tile.plane() : nullptr;
    for (std::int64_t i = 0; i < tile.queries; ++i)
      for (std::int64_t j = 0; j < tile.keys; j += P::size) {
        const std::int64_t at = i * tile.k_step + j;
        T* to = line + j - i;
        (P::load(to) + share(gradient, slopes, at)).store(to);
      }
  }

  void add_to_tokens(const Tile<T>& tile, const T* gradient, T* line) const {
    const T* slopes = keeps_slopes ? tile.slopes + tile.plane() : nullptr;
    T *queries = tile.of_queries(line), *keys = tile.of_keys(line);
    for (std::int64_t i = 0; i < tile.queries; ++i) {
      P sum = 0;
      for (std::int64_t j = 0; j < tile.keys; j += P::size) {
        const P g = share(gradient, slopes, i * tile.k_step + j);
        sum = sum + g;
        (P::load(keys + j) + g).store(keys + j);
      }
      queries[i] += sum_of_lanes(sum);
    }
  }

  std::shared_ptr<const TileScore<T>> inner_;
  M modify_;
  NumberAt number_;
};

}  // namespace regard::engine

#pragma once

#include "tensor/attention/dual_functions.h"
#include "tensor/attention/engine/tile.h"

#include <memory>

namespace regard::engine {

// The score m(s, i, j, h) over a tile, where s is another score of query i and key j in head h, and m a generic lambda:
//   [](auto s, auto i, auto j, auto) { return s - 0.5 * abs(i - j); }
template <class T, class M>
class ModifiedTiles final : public TileScore<T> {
 public:
  ModifiedTiles(std::shared_ptr<const TileScore<T>> inner, M modify)
      : inner_(std::move(inner)), modify_(std::move(modify)) {}

  // One that modifies a modified score has slopes from both, which multiply.
  [[gnu::flatten]] void scores(const Tile<T>& tile, T* scores, T* slopes) const override {
    inner_->scores(tile, scores, slopes);
    alignas(sizeof(P)) T places[P::size];
    for (int n = 0; n < P::size; ++n) places[n] = static_cast<T>(n);
    const P head = static_cast<T>(tile.head), from_first = P::load(places);
    for (std::int64_t i = 0; i < tile.queries; ++i)
      for (std::int64_t j = 0; j < tile.keys; j += P::size) {
        const P query = static_cast<T>(tile.first_query + i), key = static_cast<T>(tile.first_key + j) + from_first;
        const std::int64_t at = i * tile.k_step + j;
        const auto y = modify_(Dual<P, P, Zero, Zero>{P::load(scores + at), 1, {}, {}}, query, key, head);
        y.value.store(scores + at);
        if (slopes) (inner_->is_modified() ? P::load(slopes + at) * y.q : y.q).store(slopes + at);
      }
  }
  void gradients(const Tile<T>& tile, const T* gradient, const TileGradients<T>& to) const override {
    inner_->gradients(tile, gradient, to);
  }
  BlockSize block(std::int64_t features) const override { return inner_->block(features); }
  double key_factor() const override { return inner_->key_factor(); }
  bool wants_key_rows() const override { return inner_->wants_key_rows(); }
  bool is_modified() const override { return true; }
  bool may_have_infinite_slopes() const override { return inner_->may_have_infinite_slopes(); }

 private:
  using P = Pack<T>;
  std::shared_ptr<const TileScore<T>> inner_;
  M modify_;
};

}  // namespace regard::engine

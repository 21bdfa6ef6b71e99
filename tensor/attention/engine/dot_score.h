#pragma once

#include "tensor/attention/engine/tile.h"

namespace regard::engine {

// The score factor · q·k over a tile: a matrix product, and so are its gradients.
template <class T>
class DotTiles final : public TileScore<T> {
 public:
  explicit DotTiles(double factor) : factor_(factor) {}

  void scores(const Tile<T>& tile, T* scores) const override;
  void gradients(const Tile<T>& tile, const T* gradient, const TileGradients<T>& to) const override;
  BlockSize block(std::int64_t) const override { return {192, 2048 / static_cast<std::int64_t>(sizeof(T))}; }
  double key_factor() const override { return factor_; }
  bool wants_key_rows() const override { return true; }

 private:
  double factor_;
};

}  // namespace regard::engine

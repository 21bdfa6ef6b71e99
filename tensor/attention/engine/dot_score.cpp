#include "tensor/attention/engine/dot_score.h"

#include "tensor/attention/engine/products.h"

namespace regard::engine {

using matmul_ladder::Matrix;
using matmul_ladder::multiply;

template <class T>
void DotTiles<T>::scores(const Tile<T>& tile, T* scores) const {
  const Matrix<T> q{tile.q, tile.queries, tile.features, tile.q_step, 1};
  const Matrix<T> k{tile.k, tile.features, tile.keys, tile.k_step, 1};
  multiply(q, k, scores, tile.k_step);
}

// S = Q·Kᵀ:  ∂Q = ∂S·K and ∂Kᵀ = Qᵀ·∂S.
template <class T>
void DotTiles<T>::gradients(const Tile<T>& tile, const T* gradient, const TileGradients<T>& to) const {
  const Matrix<T> q{tile.q, tile.queries, tile.features, tile.q_step, 1};
  const Matrix<T> k{tile.k_rows, tile.keys, tile.features, tile.features, 1};
  const Matrix<T> g{gradient, tile.queries, tile.keys, tile.k_step, 1};
  if (tile.skips_zeros) {
    if (to.q) add_without_zeros(g, k, to.q, to.q_step, 1);
    if (to.k) add_without_zeros(g.transposed(), q, to.k, 1, tile.k_step);
    return;
  }
  if (to.q) multiply(g, k, to.q, to.q_step, true);
  if (to.k) multiply(q.transposed(), g, to.k, tile.k_step, true);
}

template class DotTiles<float>;
template class DotTiles<double>;

}  // namespace regard::engine

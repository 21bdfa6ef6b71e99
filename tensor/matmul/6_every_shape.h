#pragma once

#include "tensor/buffer.h"
#include "tensor/matmul/pack.h"
#include "tensor/matmul/tile.h"

#include <array>

namespace regard::matmul_ladder {

// The kernels of all tiles up to the largest: kernels<T>[rows − 1][vectors − 1].
template <class T>
using TileKernel = void (*)(const TileOperands<T>&);
template <class T, int R, int... v>
constexpr std::array<TileKernel<T>, tile_vectors> kernels_of_height(std::integer_sequence<int, v...>) {
  return {multiply_tile<T, R, v + 1>...};
}
template <class T, int... r>
constexpr auto kernels_of_heights(std::integer_sequence<int, r...>) {
  return std::array{kernels_of_height<T, r + 1>(std::make_integer_sequence<int, tile_vectors>{})...};
}
template <class T>
inline constexpr auto kernels = kernels_of_heights<T>(std::make_integer_sequence<int, tile_rows>{});

// Memory for one packed block: on the stack where it is small.
template <class T>
class Scratch {
 public:
  explicit Scratch(std::int64_t count) {
    const auto bytes = static_cast<std::size_t>(count) * sizeof(T);
    if (bytes > sizeof near_) far_ = Buffer(bytes);
    data_ = static_cast<T*>(far_ ? far_.data() : near_);
  }
  T* data() { return data_; }

 private:
  alignas(64) std::byte near_[1 << 14];
  Buffer far_;
  T* data_;
};

// k is cut into equal blocks of at most this depth. The packed block of B, 64 columns of f32, is 128 KiB deep at 512.
inline constexpr std::int64_t deepest_block = 512;
inline std::int64_t block_depth(std::int64_t depth) {
  const std::int64_t blocks = (depth + deepest_block - 1) / deepest_block;
  return (depth + blocks - 1) / blocks;
}

// The kernel takes A as it lies where that costs no time: where its rows are contiguous and not so far apart that each
// is on a page of its own, or where all of it fits in the first-level cache.
template <class T>
bool reads_well(const Matrix<T>& a) {
  constexpr std::int64_t near = 4096 / sizeof(T);
  const bool is_small = a.rows * a.columns <= static_cast<std::int64_t>((1 << 14) / sizeof(T));
  return is_small || (a.column_step == 1 && a.row_step <= near && a.row_step >= -near);
}

// Rows of packed blocks of A lie this far apart: a power of two would send them all to the same few cache lines.
template <class T>
std::int64_t packed_step(std::int64_t depth) {
  return (depth / lanes<T> + 1) * lanes<T>;
}

// c (+)= a·b for one panel: b has at most tile_columns columns, and its rows are contiguous and filled up to whole
// vectors. A tile at the right edge that ends within a vector is computed aside.
template <class T>
void multiply_panel(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool add) {
  const std::int64_t vectors = (b.columns + lanes<T> - 1) / lanes<T>, width = vectors * lanes<T>;
  for (std::int64_t i = 0; i < a.rows; i += tile_rows) {
    const std::int64_t rows = std::min<std::int64_t>(tile_rows, a.rows - i);
    const auto kernel = kernels<T>[rows - 1][vectors - 1];
    T* tile = c + i * c_row_step;
    TileOperands<T> x{&a(i, 0), a.row_step, a.column_step, b.data, b.row_step, tile, c_row_step, a.columns, add};
    if (b.columns == width) {
      kernel(x);
      continue;
    }
    T aside[tile_rows * tile_columns<T>];
    x.c = aside;
    x.c_row_step = width;
    x.add = false;
    kernel(x);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t j = 0; j < b.columns; ++j) {
        T& to = tile[r * c_row_step + j];
        to = add ? to + aside[r * width + j] : aside[r * width + j];
      }
  }
}

// Rung 6: every shape and layout at full speed, on one thread: c = a·b, or c += a·b.
template <class T>
void every_shape(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool accumulate) {
  if (a.columns == 0 && !accumulate)
    for (std::int64_t i = 0; i < a.rows; ++i) std::fill_n(c + i * c_row_step, b.columns, T{0});
  const std::int64_t depth = a.columns == 0 ? 1 : block_depth(a.columns);
  const bool a_in_place = reads_well(a), b_in_place = b.column_step == 1 && a.rows <= 64;
  Scratch<T> packed_a(a_in_place ? 0 : a.rows * packed_step<T>(depth));
  Scratch<T> packed_b(tile_columns<T> * depth);
  for (std::int64_t k = 0; k < a.columns; k += depth) {
    const std::int64_t steps = std::min(depth, a.columns - k);
    Matrix<T> rows = a.block(0, k, a.rows, steps);
    if (!a_in_place) {
      pack(rows, packed_a.data(), packed_step<T>(depth));
      rows = {packed_a.data(), a.rows, steps, packed_step<T>(depth), 1};
    }
    for (std::int64_t j = 0; j < b.columns; j += tile_columns<T>) {
      const std::int64_t columns = std::min(tile_columns<T>, b.columns - j);
      const std::int64_t width = (columns + lanes<T> - 1) / lanes<T> * lanes<T>;
      Matrix<T> panel = b.block(k, j, steps, columns);
      if (!b_in_place || columns != width) {
        pack(panel, packed_b.data(), width);
        for (std::int64_t i = 0; columns != width && i < steps; ++i)
          std::fill(packed_b.data() + i * width + columns, packed_b.data() + (i + 1) * width, T{0});
        panel = {packed_b.data(), steps, columns, width, 1};
      }
      multiply_panel(rows, panel, c + j, c_row_step, accumulate || k > 0);
    }
  }
}

}  // namespace regard::matmul_ladder

#pragma once

#include "tensor/matmul/pack.h"
#include "tensor/matmul/tile.h"
#include "tensor/memory/scratch.h"

#include <array>
#include <cstdlib>

namespace regard::matmul_ladder {

inline constexpr std::int64_t work_of_a_task = 1 << 19;  // multiply-adds: some microseconds

// Cuts `length` into equal blocks of about the wished length, multiples of `unit`: how long they are.
inline std::int64_t block_length(std::int64_t length, std::int64_t wish, std::int64_t unit) {
  const std::int64_t blocks = std::max<std::int64_t>(1, (length + wish / 2) / wish);
  return ((length + blocks - 1) / blocks + unit - 1) / unit * unit;
}

template <class T>
inline constexpr std::int64_t page = page_bytes / sizeof(T);

// The kernel takes A as it lies where that costs no time: where its rows are contiguous and not so far apart that each
// is on a page of its own, the same for its columns if all of it fits in the second-level cache, and where it is tiny.
template <class T>
bool reads_well(const Matrix<T>& a) {
  return a.fits(1 << 14) || (a.column_step == 1 && std::abs(a.row_step) <= page<T>) ||
         (a.row_step == 1 && std::abs(a.column_step) < page<T> && a.fits(1 << 18));
}

// And panels of B where to copy them would take longer than it saves: for few rows of A, and for one block of them, or one
// panel, where all of B stays in the second-level cache. Rows whole pages apart would meet in the same few lines of the
// cache and drive each other out.
template <class T>
bool panels_read_well(const Matrix<T>& b, std::int64_t a_rows) {
  return b.column_step == 1 && (a_rows <= 64 || b.fits(1 << 18)) &&
         (a_rows <= 2 * tile_rows || b.row_step % page<T> != 0);
}

// Copies a panel of B, its rows filled up with zeros to whole vectors. What is multiplied with them is never stored.
template <class T>
Matrix<T> packed_panel(const Matrix<T>& b, T* to) {
  const std::int64_t width = (b.columns + lanes<T> - 1) / lanes<T> * lanes<T>;
  pack(b, to, width);
  if (b.columns != width)
    for (std::int64_t i = 0; i < b.rows; ++i) std::fill(to + i * width + b.columns, to + (i + 1) * width, T{0});
  return {to, b.rows, b.columns, width, 1};
}

// c (+)= a·b for a panel of V whole vectors: tiles of R rows, and a lower one for the rest. Narrow tiles are higher: a
// multiply-add takes four cycles and two may start in each, so with a single vector it takes eight rows to keep them busy.
template <class T, int R, int V>
[[gnu::noinline]] void multiply_rest(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool add) {
  if constexpr (R > 1)
    if (a.rows < R) return multiply_rest<T, R - 1, V>(a, b, c, c_row_step, add);
  multiply_tile<T, R, V>(a, b, c, c_row_step, add);
}
template <class T, int V>
void multiply_rows(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool add, Ahead<T>* ahead) {
  constexpr int R = V < tile_vectors && V <= 2 ? 8 : tile_rows;
  std::int64_t i = 0;
  for (; i + R <= a.rows; i += R)
    multiply_tile<T, R, V>(a.block(i, 0, R, a.columns), b, c + i * c_row_step, c_row_step, add, ahead);
  if (i < a.rows)
    multiply_rest<T, R - 1, V>(a.block(i, 0, a.rows - i, a.columns), b, c + i * c_row_step, c_row_step, add);
}

// The same for at most tile_columns columns; the rows of b are contiguous and filled up to whole vectors. At a right edge
// that ends within a vector, tiles are computed aside.
template <class T>
void multiply_panel(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool add,
                    Ahead<T>* ahead = nullptr) {
  static constexpr auto of_vectors = []<int... v>(std::integer_sequence<int, v...>) {
    return std::array{&multiply_rows<T, v + 1>...};
  }
  (std::make_integer_sequence<int, tile_vectors>{});
  const std::int64_t vectors = (b.columns + lanes<T> - 1) / lanes<T>, width = vectors * lanes<T>;
  const auto multiply = of_vectors[static_cast<std::size_t>(vectors - 1)];
  if (b.columns == width) return multiply(a, b, c, c_row_step, add, ahead);
  T aside[tile_rows * tile_columns<T>];
  for (std::int64_t i = 0; i < a.rows; i += tile_rows) {
    const std::int64_t rows = std::min<std::int64_t>(tile_rows, a.rows - i);
    multiply(a.block(i, 0, rows, a.columns), b, aside, width, false, nullptr);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t j = 0; j < b.columns; ++j) {
        T& to = c[(i + r) * c_row_step + j];
        to = add ? to + aside[r * width + j] : aside[r * width + j];
      }
  }
}

// A product so small that both operands stay in the cache as they lie: no copies, no tasks.
template <class T>
bool is_small(const Matrix<T>& a, const Matrix<T>& b) {
  return a.rows <= 64 && a.columns <= 256 && b.columns <= 256 && b.columns % lanes<T> == 0 && reads_well(a) &&
         panels_read_well(b, a.rows);
}

template <class T>
void multiply_in_place(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool accumulate) {
  for (std::int64_t j = 0; j < b.columns; j += tile_columns<T>)
    multiply_panel(a, b.block(0, j, b.rows, std::min(tile_columns<T>, b.columns - j)), c + j, c_row_step, accumulate);
}

// Rung 6: every shape and layout at full speed: c = a·b, or c += a·b. The work is cut into tasks, each a panel of columns
// times a block of rows that stays in the second-level cache from one panel to the next. for_each(count, grain, body)
// calls body(begin, end) for all of [0, count). Gain: 1.2 (132 GFLOP/s).
template <class T, class ForEach>
void every_shape(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool accumulate,
                 const ForEach& for_each) {
  if (a.columns == 0 && !accumulate)
    for (std::int64_t i = 0; i < a.rows; ++i) std::fill_n(c + i * c_row_step, b.columns, T{0});
  if (a.rows == 0 || a.columns == 0 || b.columns == 0) return;
  if (is_small(a, b)) return multiply_in_place(a, b, c, c_row_step, accumulate);

  constexpr std::int64_t width = tile_columns<T>;
  const std::int64_t panels = (b.columns + width - 1) / width;
  // With vectors of 64 bytes a panel takes about 128 KiB; a block of rows 768 KiB, half of that for few panels.
  const std::int64_t depth = block_length(a.columns, 512, 1);
  const std::int64_t height = block_length(a.rows, (panels < 4 ? 768 : 1536) / sizeof(T), tile_rows);
  const bool a_in_place = reads_well(a), b_in_place = panels_read_well(b, a.rows);
  const bool b_ready = b_in_place && b.columns % lanes<T> == 0, share_b = a.rows > height && (panels > 1 || !b_ready);
  const std::int64_t a_step = depth + lanes<T>;  // a power of two would send all rows to the same few cache lines
  // Threads wait for each other when rows have been copied and when all tasks with them are done: not after each block.
  const std::int64_t stage_rows = a_in_place ? a.rows : std::min(a.rows, 8 * height);
  Scratch<T> packed_a(a_in_place ? 0 : stage_rows * a_step), packed_b(share_b ? panels * width * depth : 0);

  for (std::int64_t k = 0; k < a.columns; k += depth) {
    const std::int64_t steps = std::min(depth, a.columns - k);
    const auto panel_of_b = [&](std::int64_t panel) {
      return b.block(k, panel * width, steps, std::min(width, b.columns - panel * width));
    };
    if (share_b)
      for_each(panels, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t p = begin; p < end; ++p) packed_panel(panel_of_b(p), packed_b.data() + p * width * depth);
      });
    for (std::int64_t i0 = 0; i0 < a.rows; i0 += stage_rows) {
      Matrix<T> rows = a.block(i0, k, std::min(stage_rows, a.rows - i0), steps);
      if (!a_in_place) {
        for_each(rows.rows, 48, [&](std::int64_t begin, std::int64_t end) {
          pack(rows.block(begin, 0, end - begin, steps), packed_a.data() + begin * a_step, a_step);
        });
        rows = {packed_a.data(), rows.rows, steps, a_step, 1};
      }
      const std::int64_t grain = std::max<std::int64_t>(1, work_of_a_task / (height * steps * width));
      for_each((rows.rows + height - 1) / height * panels, grain, [&](std::int64_t begin, std::int64_t end) {
        Scratch<T> own_panel(share_b || b_ready ? 0 : width * steps);
        for (std::int64_t task = begin; task < end; ++task) {
          const std::int64_t i = task / panels * height, p = task % panels;
          Matrix<T> panel = panel_of_b(p);
          const std::int64_t columns = (panel.columns + lanes<T> - 1) / lanes<T> * lanes<T>;
          Ahead<T> ahead;
          if (share_b) {
            panel = {packed_b.data() + p * width * depth, steps, panel.columns, columns, 1};
            const T* next = packed_b.data() + (p + 1) % panels * width * depth;
            if (panels > 1) ahead = {next, next + width * depth};
          } else if (!b_in_place || columns != panel.columns) {
            panel = packed_panel(panel, own_panel.data());
          }
          multiply_panel(rows.block(i, 0, std::min(height, rows.rows - i), steps), panel,
                         c + (i0 + i) * c_row_step + p * width, c_row_step, accumulate || k > 0, &ahead);
        }
      });
    }
  }
}

}  // namespace regard::matmul_ladder

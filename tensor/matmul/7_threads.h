#pragma once

#include "tensor/matmul/6_every_shape.h"
#include "tensor/parallel.h"

namespace regard::matmul_ladder {

inline constexpr std::int64_t work_of_a_task = 1 << 19;  // multiply-adds: some microseconds

// Rung 7: c = a·b, or c += a·b, on all threads. C is cut into rectangles that are computed as in rung 6, and no sum is
// cut, so the bits of the result do not depend on who computes what. From inside a task it runs on that task's thread.
template <class T>
void threads(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool accumulate) {
  if (a.rows * b.columns * a.columns <= 2 * work_of_a_task) return every_shape(a, b, c, c_row_step, accumulate);
  const std::int64_t depth = block_depth(a.columns);
  const bool a_in_place = reads_well(a);
  const Buffer packed_a(static_cast<std::size_t>(a_in_place ? 0 : a.rows * packed_step<T>(depth)) * sizeof(T));

  // Panels of columns, and where there are few, pieces of rows of each; short enough tasks to even out a slow core.
  constexpr std::int64_t wanted_tasks = 8, fewest_rows = 16 * tile_rows;
  const std::int64_t panels = (b.columns + tile_columns<T> - 1) / tile_columns<T>;
  const std::int64_t pieces = std::clamp<std::int64_t>(a.rows / fewest_rows, 1, (wanted_tasks + panels - 1) / panels);
  const std::int64_t piece = ((a.rows + pieces - 1) / pieces + tile_rows - 1) / tile_rows * tile_rows;
  const std::int64_t panels_per_task = std::max<std::int64_t>(1, work_of_a_task / (piece * depth * tile_columns<T>));

  for (std::int64_t k = 0; k < a.columns; k += depth) {
    const std::int64_t steps = std::min(depth, a.columns - k);
    Matrix<T> rows = a.block(0, k, a.rows, steps);
    if (!a_in_place) {
      T* packed = static_cast<T*>(packed_a.data());
      const std::int64_t step = packed_step<T>(depth);
      parallel_for(a.rows, 96, [&](std::int64_t begin, std::int64_t end) {
        pack(rows.block(begin, 0, end - begin, steps), packed + begin * step, step);
      });
      rows = {packed, a.rows, steps, step, 1};
    }
    parallel_for(pieces * panels, panels_per_task, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t i = task / panels * piece, j = task % panels * tile_columns<T>;
        const std::int64_t height = std::min(piece, a.rows - i), width = std::min(tile_columns<T>, b.columns - j);
        if (height > 0)
          every_shape(rows.block(i, 0, height, steps), b.block(k, j, steps, width), c + i * c_row_step + j, c_row_step,
                      accumulate || k > 0);
      }
    });
  }
}

}  // namespace regard::matmul_ladder

#pragma once

#include "tensor/matmul/pack.h"
#include "tensor/matmul/tile.h"
#include "tensor/memory/scratch.h"
#include "tensor/threads/parallel.h"

#include <array>
#include <cstdlib>

namespace regard::matmul_ladder {

// Cuts `length` into equal blocks of about the wished length, multiples of `unit`: how long they are.
inline std::int64_t block_length(std::int64_t length, std::int64_t wish, std::int64_t unit) {
  const std::int64_t blocks = std::max<std::int64_t>(1, (length + wish / 2) / wish);
  return ((length + blocks - 1) / blocks + unit - 1) / unit * unit;
}

template <class T>
inline constexpr std::int64_t page = page_bytes / sizeof(T);

// The tile product takes A as it lies where that costs no time: where it is tiny, …
template <class T>
bool is_tiny(const Matrix<T>& a) {
  return a.fits(1 << 14);
}

// … where its rows are contiguous and not so far apart that each is on a page of its own, and the same for its columns
// if all of it fits in the second-level cache.
template <class T>
bool lies_well(const Matrix<T>& a) {
  return (a.column_step == 1 && std::abs(a.row_step) <= page<T>) ||
         (a.row_step == 1 && std::abs(a.column_step) < page<T> && a.fits(1 << 18));
}

// And panels of B where copying them would take longer than it saves: for few rows of A, or where all of B stays in the
// second-level cache; but not if its rows are whole pages apart (README.md says why).
template <class T>
bool panels_read_well(const Matrix<T>& b, std::int64_t a_rows) {
  return b.column_step == 1 && (a_rows <= 64 || b.fits(1 << 18)) &&
         (a_rows <= 2 * tile_rows || b.row_step % page<T> != 0);
}

// So many columns, rounded up to whole vectors.
template <class T>
std::int64_t whole_vectors(std::int64_t columns) {
  return (columns + lanes<T> - 1) / lanes<T> * lanes<T>;
}

// Copies a panel of B, its rows filled up with zeros to whole vectors. What is multiplied with them is never stored.
template <class T>
Matrix<T> packed_panel(const Matrix<T>& b, T* to) {
  const std::int64_t width = whole_vectors<T>(b.columns);
  pack(b, to, width);
  if (b.columns != width)
    for (std::int64_t i = 0; i < b.rows; ++i) std::fill(to + i * width + b.columns, to + (i + 1) * width, T{0});
  return {to, b.rows, b.columns, width, 1};
}

// c (+)= a·b for R rows at most: a tile as high as there are rows.
template <class T, int R, int V>
[[gnu::noinline]] void multiply_rest(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool add) {
  if constexpr (R > 1)
    if (a.rows < R) return multiply_rest<T, R - 1, V>(a, b, c, c_row_step, add);
  multiply_tile<T, R, V>(a, b, c, c_row_step, add);
}

// c (+)= a·b for a panel of V whole vectors: tiles of R rows, and a lower one for the rest. Narrow tiles are higher, so
// that there are always enough sums to keep the multipliers busy.
template <class T, int V>
void multiply_rows(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool add) {
  constexpr int R = V < tile_vectors && V <= 2 ? 8 : tile_rows;
  std::int64_t i = 0;
  for (; i + R <= a.rows; i += R)
    multiply_tile<T, R, V>(a.block(i, 0, R, a.columns), b, c + i * c_row_step, c_row_step, add);
  if (i < a.rows)
    multiply_rest<T, R - 1, V>(a.block(i, 0, a.rows - i, a.columns), b, c + i * c_row_step, c_row_step, add);
}

// The same where the last vector of the panel is not full: tiles are computed aside, and what of them exists is
// added to C. The rows of b are filled up to whole vectors.
template <class T, class MultiplyRows>
void multiply_ragged(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool add,
                     MultiplyRows multiply) {
  const std::int64_t width = whole_vectors<T>(b.columns);
  T aside[tile_rows * tile_columns<T>];
  for (std::int64_t i = 0; i < a.rows; i += tile_rows) {
    const std::int64_t rows = std::min<std::int64_t>(tile_rows, a.rows - i);
    multiply(a.block(i, 0, rows, a.columns), b, aside, width, false);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t j = 0; j < b.columns; ++j) {
        T& to = c[(i + r) * c_row_step + j];
        to = add ? to + aside[r * width + j] : aside[r * width + j];
      }
  }
}

// multiply_rows for 1, 2, … vectors.
template <class T, int... v>
constexpr auto rows_by_vectors(std::integer_sequence<int, v...>) {
  return std::array{&multiply_rows<T, v + 1>...};
}

// The same for a panel of any width up to tile_columns.
template <class T>
void multiply_panel(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool add) {
  static constexpr auto table = rows_by_vectors<T>(std::make_integer_sequence<int, tile_vectors>{});
  const std::int64_t width = whole_vectors<T>(b.columns);
  const auto multiply = table[static_cast<std::size_t>(width / lanes<T> - 1)];
  if (b.columns == width)
    multiply(a, b, c, c_row_step, add);
  else
    multiply_ragged(a, b, c, c_row_step, add, multiply);
}
// It is most of the machine code, and compiled once, in multiply.cpp.
extern template void multiply_panel(const Matrix<float>&, const Matrix<float>&, float*, std::int64_t, bool);
extern template void multiply_panel(const Matrix<double>&, const Matrix<double>&, double*, std::int64_t, bool);

// A product so small that both operands stay in the cache as they lie: no copies, no tasks.
template <class T>
bool is_small(const Matrix<T>& a, const Matrix<T>& b) {
  return a.rows <= 64 && a.columns <= 256 && b.columns <= 256 && b.columns % lanes<T> == 0 &&
         (is_tiny(a) || lies_well(a)) && panels_read_well(b, a.rows);
}

template <class T>
void multiply_in_place(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool accumulate) {
  for (std::int64_t j = 0; j < b.columns; j += tile_columns<T>)
    multiply_panel(a, b.block(0, j, b.rows, std::min(tile_columns<T>, b.columns - j)), c + j, c_row_step, accumulate);
}

// A larger product, cut in three: k into blocks of `depth` steps, B into panels, A into blocks of `height` rows. A task
// is one block of rows times one panel. Blocks of rows follow one another only when all panels have met the one before:
// so that one stays in the second-level cache.
template <class T>
class CutProduct {
 public:
  CutProduct(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool accumulate, bool alone)
      : a_(a), b_(b), c_(c), c_row_step_(c_row_step), accumulate_(accumulate), alone_(alone) {}

  void compute() {
    for (std::int64_t k = 0; k < a_.columns; k += depth_) {
      if (shares_panels_) copy_panels(k);
      for (std::int64_t i = 0; i < a_.rows; i += stage_rows_) multiply_stage(i, k, ready_rows(i, k));
    }
  }

 private:
  static constexpr std::int64_t width = tile_columns<T>;

  // With vectors of 64 bytes a panel takes about 128 KiB; a block of rows 768 KiB, half of that for few panels. Beside
  // a single panel there are about four blocks if each has some 72 rows, so that no thread computes all. Its tiles may
  // be six or eight rows high: a multiple of 24 has no rest.
  static std::int64_t rows_of_block(std::int64_t rows, std::int64_t panels) {
    const std::int64_t wish = (panels < 4 ? 768 : 1536) / sizeof(T);
    if (panels > 1) return block_length(rows, wish, tile_rows);
    return block_length(rows, std::min(wish, std::max<std::int64_t>(rows / 4, 72)), 24);
  }

  std::int64_t steps(std::int64_t k) const { return std::min(depth_, a_.columns - k); }
  T* shared_panel(std::int64_t panel) { return shared_panels_.data() + panel * width * depth_; }

  Matrix<T> panel_of_b(std::int64_t panel, std::int64_t k) const {
    return b_.block(k, panel * width, steps(k), std::min(width, b_.columns - panel * width));
  }

  // As parallel_for; alone it is a single task, which the thread that asks computes by itself.
  template <class Body>
  void share(std::int64_t count, std::int64_t grain, const Body& body) const {
    parallel_for(count, alone_ ? count : grain, body);
  }

  void copy_panels(std::int64_t k) {
    share(panels_, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t panel = begin; panel < end; ++panel) packed_panel(panel_of_b(panel, k), shared_panel(panel));
    });
  }

  // The rows of A from i on that are multiplied before the next ones are copied, as they lie or as a copy.
  Matrix<T> ready_rows(std::int64_t i, std::int64_t k) {
    const Matrix<T> rows = a_.block(i, k, std::min(stage_rows_, a_.rows - i), steps(k));
    if (a_in_place_) return rows;
    share(rows.rows, 48, [&](std::int64_t begin, std::int64_t end) {
      pack(rows.block(begin, 0, end - begin, rows.columns), packed_a_.data() + begin * a_step_, a_step_);
    });
    return {packed_a_.data(), rows.rows, rows.columns, a_step_, 1};
  }

  // All panels, k to k + depth, times these rows of A.
  void multiply_stage(std::int64_t first_row, std::int64_t k, const Matrix<T>& rows) {
    const std::int64_t blocks = (rows.rows + height_ - 1) / height_;
    const std::int64_t grain = items_of_a_task(height_ * rows.columns * width / multiply_adds_of_a_number);
    share(blocks * panels_, grain, [&](std::int64_t begin, std::int64_t end) {
      Scratch<T> own_panel(shares_panels_ || b_ready_ ? 0 : width * rows.columns);
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t row = task / panels_ * height_, panel = task % panels_;
        multiply_panel(rows.block(row, 0, std::min(height_, rows.rows - row), rows.columns),
                       ready_panel(panel, k, own_panel.data()), c_ + (first_row + row) * c_row_step_ + panel * width,
                       c_row_step_, accumulate_ || k > 0);
      }
    });
  }

  // A panel as tiles want it: the shared copy, B itself, or a copy of the task's own.
  Matrix<T> ready_panel(std::int64_t panel, std::int64_t k, T* own) {
    const Matrix<T> b = panel_of_b(panel, k);
    const std::int64_t filled = whole_vectors<T>(b.columns);
    if (shares_panels_) return {shared_panel(panel), b.rows, b.columns, filled, 1};
    return b_in_place_ && filled == b.columns ? b : packed_panel(b, own);
  }

  const Matrix<T> a_, b_;
  T* const c_;
  const std::int64_t c_row_step_;
  const bool accumulate_, alone_;

  const std::int64_t panels_ = (b_.columns + width - 1) / width;
  const std::int64_t depth_ = block_length(a_.columns, 512, 1), height_ = rows_of_block(a_.rows, panels_);
  // It is a block of depth_ steps that is read at a time, and has to fit in a cache.
  const bool a_in_place_ = is_tiny(a_) || lies_well(a_.block(0, 0, a_.rows, depth_));
  const bool b_in_place_ = panels_read_well(b_.block(0, 0, depth_, b_.columns), a_.rows);
  const bool b_ready_ = b_in_place_ && b_.columns % lanes<T> == 0;
  const bool shares_panels_ = a_.rows > height_ && (panels_ > 1 || !b_ready_);
  const std::int64_t a_step_ = depth_ + lanes<T>;  // not a power of two: all rows would share a few cache lines
  // Threads wait for each other when rows have been copied and when all tasks with them are done: not after each block.
  const std::int64_t stage_rows_ = a_in_place_ ? a_.rows : std::min(a_.rows, 8 * height_);
  Scratch<T> packed_a_{a_in_place_ ? 0 : stage_rows_ * a_step_};
  Scratch<T> shared_panels_{shares_panels_ ? panels_ * width * depth_ : 0};
};

// Rung 5 for every shape and layout, at full speed: c = a·b, or c += a·b, on one thread alone or on all. Gain: 1.2
// (132 GFLOP/s).
template <class T>
void every_shape(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool accumulate, bool alone) {
  if (a.columns == 0 && !accumulate)
    for (std::int64_t i = 0; i < a.rows; ++i) std::fill_n(c + i * c_row_step, b.columns, T{0});
  if (a.rows == 0 || a.columns == 0 || b.columns == 0) return;
  if (is_small(a, b))
    multiply_in_place(a, b, c, c_row_step, accumulate);
  else
    CutProduct<T>(a, b, c, c_row_step, accumulate, alone).compute();
}

}  // namespace regard::matmul_ladder

#pragma once

#include "tensor/memory/block.h"
#include "tensor/dtype.h"
#include "tensor/loops/transpose.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace regard::kernels {

// A rectangle of elements, as it lies in one tensor: `rows` times `columns`, and how far apart neighbours are.
struct Tile {
  std::int64_t rows, columns, row_step, column_step;

  bool is_dense() const { return (rows == 1 || row_step == columns) && (columns == 1 || column_step == 1); }
  Tile transposed() const { return {columns, rows, column_step, row_step}; }
};

// Asks for the cache line of from[i], which need not exist: a wish, and nobody waits for it to be granted. To a compiler a
// function that only wishes does nothing, and it drops the call: so this is inlined always, and so is what only calls this.
template <class T>
[[gnu::always_inline]] inline void fetch_soon(const T* from, std::int64_t i) {
  const auto address = reinterpret_cast<std::uintptr_t>(from) + static_cast<std::uintptr_t>(i) * sizeof(T);
  __builtin_prefetch(reinterpret_cast<const void*>(address), 0, 2);  // to read, into the second cache
}

// Copies rows that are contiguous in the source to columns that are contiguous in the target: in squares, which are
// turned in registers, and the rest one by one.
template <class T>
void copy_across(T* __restrict into, Tile target, const T* __restrict from, Tile source) {
  constexpr std::int64_t n = lanes<T>, ahead = 2 * n;
  const std::int64_t square_rows = source.rows / n * n, square_columns = source.columns / n * n;
  // Processors look ahead in a few places at once. Rows a page or more apart are too many such places: what follows in each
  // of them must be asked for in time. Of a narrow tile nothing follows.
  constexpr std::int64_t page = page_bytes / sizeof(T);
  const bool asks = std::abs(source.row_step) >= page && source.columns > ahead;
  for (std::int64_t i = 0; i < square_rows; i += n)
    for (std::int64_t j = 0; j < square_columns; j += n) {
      if (asks)
        for (std::int64_t k = 0; k < n; ++k) fetch_soon(from, (i + k) * source.row_step + j + ahead);
      transpose_square(from + i * source.row_step + j, source.row_step, into + i + j * target.column_step,
                       target.column_step);
    }
  for (std::int64_t i = square_columns < source.columns ? 0 : square_rows; i < source.rows; ++i)
    for (std::int64_t j = i < square_rows ? square_columns : 0; j < source.columns; ++j)
      into[i + j * target.column_step] = from[i * source.row_step + j];
}

// out[j] = in[2j]. Meanwhile memory is asked for what lies two pages further. That is what comes next if rows are long, or follow
// one another.
template <class T>
void copy_every_second(T* __restrict out, const T* __restrict in, std::int64_t count) {
  constexpr int n = lanes<T>;
  constexpr auto every_lane = std::make_integer_sequence<int, n>{};
  constexpr std::int64_t line = cache_line_bytes / sizeof(T), ahead = 2 * page_bytes / sizeof(T);
  std::int64_t j = 0;
  for (; j + n < count; j += n) {
    for (std::int64_t l = 0; l < 2 * n; l += line) fetch_soon(in, 2 * j + ahead + l);
    store(out + j, load_every_second<T, n>(in + 2 * j, every_lane));
  }
  // The last vector ends with the last number: behind it nothing may be read, and before it something is copied twice.
  if (count >= n)
    store(out + count - n, load_every_second<T, n - 1>(in + 2 * (count - n), every_lane));
  else
    for (; j < count; ++j) out[j] = in[2 * j];
}

// out[j · out_step] = in[j · in_step]
template <class T>
void copy_row(T* __restrict out, std::int64_t out_step, const T* __restrict in, std::int64_t in_step,
              std::int64_t count) {
  if (out_step != 1)
    for (std::int64_t j = 0; j < count; ++j) out[j * out_step] = in[j * in_step];
  else if (in_step == 1)
    std::memcpy(out, in, static_cast<std::size_t>(count) * sizeof(T));
  else if (in_step == 0)
    std::fill_n(out, count, *in);
  else if (in_step == 2)
    copy_every_second(out, in, count);
  else
    for (std::int64_t j = 0; j < count; ++j) out[j] = in[j * in_step];
}

// Copies a tile from one place to another. Rows are taken along the axis on which the source is contiguous, if there
// is one: of a cache line that is fetched all is used.
template <class T>
void copy_tile(T* __restrict into, Tile target, const T* __restrict from, Tile source) {
  if (source.row_step == 1 && source.rows > 1 && source.column_step != 0) {
    source = source.transposed();
    target = target.transposed();
  }
  if (source.column_step == 1 && target.column_step != 1 && target.row_step == 1)
    return copy_across(into, target, from, source);
  for (std::int64_t i = 0; i < source.rows; ++i)
    copy_row(into + i * target.row_step, target.column_step, from + i * source.row_step, source.column_step,
             source.columns);
}

// The same, where types are known at run time only.
void copy_row(DType dtype, void* out, std::int64_t out_step, const void* in, std::int64_t in_step, std::int64_t count);
void copy_tile(DType dtype, void* into, const Tile& target, const void* from, const Tile& source);

}  // namespace regard::kernels

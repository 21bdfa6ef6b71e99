#pragma once

#include "tensor/math/bits.h"
#include "tensor/matmul/engine/every_shape.h"
#include "tensor/threads/parallel.h"

namespace regard::matmul_ladder {

// Products of a single row with B, and of a few rows with a large or a narrow B. Every number of B is used once or a
// few times, so it does not pay to pack it: it is a matter of reading B as fast as memory gives it. But a row must give
// the same whether it stands alone or among others. So sums are made as the tile product makes them: k by k, in blocks
// of the same depth, which are added up. Gain: by tiles, a small model takes 1.6 times as long to write a token after
// 1024 others.

// A few rows, of x or of sums; each is contiguous.
template <class T>
struct FewRows {
  T* data;
  std::int64_t step;  // from one row to the next

  T* operator()(std::int64_t i, std::int64_t j) const { return data + i * step + j; }
  FewRows from(std::int64_t j) const { return {data + j, step}; }
};

// a·b + c, rounded as in the tile product.
template <class T>
T multiply_add(T a, T b, T c) {
  if constexpr (std::floating_point<T>)
    return math::fused(a, b, c);
  else
    return a * b + c;
}

// sums(j) = Σₖ x(k)·b(k, j) for a single row and any number of columns, whatever the layout of B: for what is too small
// to be read in vectors. As many columns as a vector has are taken together, then half as many, down to one: so their
// sums stay in registers.
template <class T, int count = lanes<T>>
void few_sums(const T* x, Matrix<T> b, T* sums) {
  for (; b.columns >= count; sums += count, b = b.block(0, count, b.rows, b.columns - count)) {
    T sum[count] = {};
    for (std::int64_t k = 0; k < b.rows; ++k)
#pragma GCC unroll 16
      for (int j = 0; j < count; ++j) sum[j] = multiply_add(x[k], b(k, j), sum[j]);
    std::copy_n(sum, count, sums);
  }
  if constexpr (count > 1) few_sums<T, count / 2>(x, b, sums);
}

// sums(i, j) += Σₖ x(i, k)·b(k, j) for R rows of x and V vectors of columns, over a few steps of k.
template <int R, int V, int steps, class T>
[[gnu::always_inline]] inline void add_steps(FewRows<const T> x, const T* b, std::int64_t b_row_step, FewRows<T> sums) {
  Vector<T> sum[R][V];
#pragma GCC unroll 8
  for (int i = 0; i < R; ++i)
#pragma GCC unroll 2
    for (int v = 0; v < V; ++v) sum[i][v] = load(sums(i, v * lanes<T>));
#pragma GCC unroll 8
  for (int k = 0; k < steps; ++k) add_step<R>(sum, x.data + k, x.step, b + k * b_row_step);
#pragma GCC unroll 8
  for (int i = 0; i < R; ++i)
#pragma GCC unroll 2
    for (int v = 0; v < V; ++v) store(sums(i, v * lanes<T>), sum[i][v]);
}

// sums(i, j) = Σₖ x(i, k)·b(k, j) for whole vectors of columns, where the rows of B are contiguous. Eight rows of B
// are read at a time, from one end to the other: so memory is read in the order in which it lies, which is the fastest.
template <int R, class T>
void sums_along_rows(FewRows<const T> x, const Matrix<T>& b, FewRows<T> sums) {
  constexpr int V = R <= 2 ? 2 : 1;
  for (int i = 0; i < R; ++i) std::fill_n(sums(i, 0), b.columns, T{0});
  const auto add = [&]<int steps>(std::int64_t k, std::integral_constant<int, steps>) {
    std::int64_t j = 0;
    for (; j + V * lanes<T> <= b.columns; j += V * lanes<T>)
      add_steps<R, V, steps>(x.from(k), &b(k, j), b.row_step, sums.from(j));
    for (; j < b.columns; j += lanes<T>) add_steps<R, 1, steps>(x.from(k), &b(k, j), b.row_step, sums.from(j));
  };
  std::int64_t k = 0;
  for (; k + 8 <= b.rows; k += 8) add(k, std::integral_constant<int, 8>());
  for (; k < b.rows; ++k) add(k, std::integral_constant<int, 1>());
}

// The same for a single vector of columns.
template <int R, class T>
void vector_along_rows(FewRows<const T> x, const Matrix<T>& b, FewRows<T> sums) {
  Vector<T> sum[R][1] = {};
  for (std::int64_t k = 0; k < b.rows; ++k) add_step<R>(sum, x.data + k, x.step, &b(k, 0));
#pragma GCC unroll 8
  for (int i = 0; i < R; ++i) store(sums(i, 0), sum[i][0]);
}

// So many numbers as one. A single number is no vector, as GCC would keep that in memory.
template <class T, int count>
using PartOfVector = std::conditional_t<count == 1, T, loops::Lanes<T, count>>;

// The same for fewer columns than a vector has: half a vector of them if there are so many, then a quarter, down to
// one column.
template <int R, class T, int count = lanes<T> / 2>
void part_along_rows(FewRows<const T> x, const Matrix<T>& b, FewRows<T> sums) {
  std::int64_t done = 0;
  if (b.columns >= count) {
    done = count;
    PartOfVector<T, count> sum[R] = {}, now;
    for (std::int64_t k = 0; k < b.rows; ++k) {
      std::memcpy(&now, &b(k, 0), sizeof now);
#pragma GCC unroll 8
      for (int i = 0; i < R; ++i) {
        if constexpr (count == 1)  // GCC may round `+=` of single numbers twice, that of vectors it does not
          sum[i] = multiply_add(*x(i, k), now, sum[i]);
        else
          sum[i] += *x(i, k) * now;
      }
    }
    for (int i = 0; i < R; ++i) std::memcpy(sums(i, 0), &sum[i], sizeof now);
  }
  if constexpr (count > 1)
    part_along_rows<R, T, count / 2>(x, b.block(0, done, b.rows, b.columns - done), sums.from(done));
}

// The same for a single row and a single vector of columns, where the columns of B are contiguous, and at least one
// vector long: squares of B are turned in registers. The last one reaches back to rows that were added before, and
// skips them. So many columns at once are more streams than the processor follows by itself: memory is asked for
// the next columns.
template <class T>
void vector_along_columns(const T* x, const Matrix<T>& b, T* sums) {
  constexpr int n = lanes<T>;
  const auto square = [&](std::int64_t k, Vector<T> * rows) __attribute__((always_inline)) {
#pragma GCC unroll 16
    for (int j = 0; j < n; ++j) {
      rows[j] = load(&b(k, j));
      __builtin_prefetch(&b(k, j + n));
    }
    loops::transpose_registers<T, math::lanes<T>>(rows);
  };
  Vector<T> sum = {}, rows[n];
  std::int64_t k = 0;
  for (; k + n <= b.rows; k += n) {
    square(k, rows);
#pragma GCC unroll 16
    for (int i = 0; i < n; ++i) sum += x[k + i] * rows[i];
  }
  if (k < b.rows) {
    square(b.rows - n, rows);
#pragma GCC unroll 16
    for (int i = 0; i < n; ++i)
      if (b.rows - n + i >= k) sum += x[b.rows - n + i] * rows[i];
  }
  store(sums, sum);
}

// The same for any number of columns. If they do not fill the last vector, it reaches back to columns that have been
// before: they get the same sums once more.
template <int R, class T>
void sums_of_block(FewRows<const T> x, const Matrix<T>& b, FewRows<T> sums) {
  constexpr std::int64_t n = lanes<T>;
  const bool along_rows = b.column_step == 1;
  if (along_rows && b.columns < n) {
    part_along_rows<R>(x, b, sums);
  } else if (b.columns < n || (!along_rows && b.rows < n)) {
    for (int i = 0; i < R; ++i) few_sums(x(i, 0), b, sums(i, 0));
  } else if (along_rows) {
    const std::int64_t whole = b.columns / n * n, last = b.columns - n;
    sums_along_rows<R>(x, b.block(0, 0, b.rows, whole), sums);
    if (whole < b.columns) vector_along_rows<R>(x, b.block(0, last, b.rows, n), sums.from(last));
  } else {
    for (std::int64_t j = 0; j < b.columns; j += n) {
      const std::int64_t first = std::min(j, b.columns - n);
      for (int i = 0; i < R; ++i) vector_along_columns(x(i, 0), b.block(0, first, b.rows, n), sums(i, first));
    }
  }
}

inline constexpr std::int64_t few_rows = 8;
inline constexpr std::int64_t most_sums = 4096;  // of a task: they stay in a near cache

// Several rows only where B is too large for the second-level cache, as for a smaller one tiles are faster; or where B
// is narrower than a vector, as for tiles it would be filled up.
template <class T>
bool is_rows_times_matrix(const Matrix<T>& a, const Matrix<T>& b) {
  if (a.columns == 0 || b.columns == 0) return false;
  if (a.rows == 1) return b.row_step == 1 || b.column_step == 1;
  return a.rows > 0 && a.rows <= few_rows && b.column_step == 1 && (b.columns < lanes<T> || !b.fits(1 << 18));
}

// c = a·b, or c += a·b, for R rows.
template <int R, class T>
void rows_times_matrix(const Matrix<T>& a, const Matrix<T>& b, FewRows<T> c, bool accumulate) {
  Scratch<T> packed(a.column_step == 1 ? 0 : R * a.columns);
  if (a.column_step != 1) pack(a, packed.data(), a.columns);
  const FewRows<const T> x =
      a.column_step == 1 ? FewRows<const T>{a.data, a.row_step} : FewRows<const T>{packed.data(), a.columns};
  // Long runs of memory are read faster than short ones, but all threads are to get some if there is enough to do.
  const std::int64_t tasks = std::clamp<std::int64_t>(b.rows * b.columns / 4 / work_of_a_task, 1, thread_count());
  const std::int64_t most = most_sums / R / lanes<T> * lanes<T>;
  const std::int64_t width = std::min(most, whole_vectors<T>((b.columns + tasks - 1) / tasks));
  const std::int64_t depth = block_length(b.rows, 512, 1);
  parallel_for((b.columns + width - 1) / width, 1, [&](std::int64_t begin, std::int64_t end) {
    T aside[most_sums];
    for (std::int64_t j = begin * width; j < std::min(end * width, b.columns); j += width) {
      const std::int64_t columns = std::min(width, b.columns - j);
      for (std::int64_t k = 0; k < b.rows; k += depth) {
        const bool add = accumulate || k > 0;
        const FewRows<T> sums = add ? FewRows<T>{aside, width} : c.from(j);
        sums_of_block<R>(x.from(k), b.block(k, j, std::min(depth, b.rows - k), columns), sums);
        for (int i = 0; add && i < R; ++i)
          for (std::int64_t l = 0; l < columns; ++l) *c(i, j + l) += *sums(i, l);
      }
    }
  });
}

// The same for any number of rows up to few_rows.
template <int R = few_rows, class T>
void rows_times_matrix(const Matrix<T>& a, const Matrix<T>& b, T* c, std::int64_t c_row_step, bool accumulate) {
  if constexpr (R > 1)
    if (a.rows < R) return rows_times_matrix<R - 1>(a, b, c, c_row_step, accumulate);
  rows_times_matrix<R>(a, b, FewRows<T>{c, c_row_step}, accumulate);
}

}  // namespace regard::matmul_ladder

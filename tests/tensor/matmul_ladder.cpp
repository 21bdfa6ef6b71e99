// Every rung of the ladder against the first, on raw memory and over layouts that no tensor of a test would have.
#include "tensor/matmul/ladder.h"

#include "tensor/matmul/multiply.h"
#include "tensor/memory/buffer.h"
#include "tensor/threads/parallel.h"
#include "tests/catch.h"

#include <atomic>
#include <cmath>

namespace regard::matmul_ladder {
namespace {

// Memory with a matrix in it. Numbers outside the matrix are NaN, so that a rung which reads one shows it.
template <class T>
struct Stored {
  std::vector<T> memory;
  Matrix<T> matrix;
};

enum class Layout { rows, columns, padded_rows, strided, reversed, equal_rows, equal_columns };
constexpr Layout layouts[] = {Layout::rows,     Layout::columns,    Layout::padded_rows,  Layout::strided,
                              Layout::reversed, Layout::equal_rows, Layout::equal_columns};

template <class T>
Stored<T> stored(std::int64_t rows, std::int64_t columns, Layout layout, unsigned seed) {
  std::int64_t row_step = columns, column_step = 1, first = 0;
  switch (layout) {
    case Layout::rows: break;
    case Layout::columns: row_step = 1, column_step = rows; break;
    case Layout::padded_rows: row_step = columns + 3; break;
    case Layout::strided: row_step = 3 * columns + 1, column_step = 3; break;
    case Layout::reversed: row_step = -columns, column_step = -1, first = rows * columns; break;
    case Layout::equal_rows: row_step = 0; break;
    case Layout::equal_columns: row_step = 1, column_step = 0; break;
  }
  const std::int64_t size = 1 + rows * std::max<std::int64_t>(std::abs(row_step), 1) + columns * std::abs(column_step);
  Stored<T> result{std::vector<T>(static_cast<std::size_t>(size), T(NAN)), {}};
  first = std::max<std::int64_t>(first - 1, 0);
  result.matrix = {result.memory.data() + first, rows, columns, row_step, column_step};
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      seed = seed * 1664525u + 1013904223u;
      // Small whole numbers: every sum is exact, so all rungs must agree to the last bit.
      result.memory[static_cast<std::size_t>(first + i * row_step + j * column_step)] =
          static_cast<T>(static_cast<int>(seed >> 24) % 19 - 9);
    }
  return result;
}

// c with two more columns than the product, which must stay as they are.
template <class T, class Product>
std::vector<T> computed(const Matrix<T>& a, const Matrix<T>& b, T initial, const Product& product) {
  std::vector<T> c(static_cast<std::size_t>(a.rows * (b.columns + 2)), initial);
  product(a, b, c.data(), b.columns + 2);
  return c;
}

template <class T>
void compare_all(std::int64_t m, std::int64_t k, std::int64_t n, Layout left, Layout right) {
  const auto a = stored<T>(m, k, left, 1), b = stored<T>(k, n, right, 2);
  const auto rungs = ladder<T>();
  const auto expected = computed(a.matrix, b.matrix, T{7}, rungs[0].multiply);
  for (const auto& rung : rungs) {
    if (computed(a.matrix, b.matrix, T{7}, rung.multiply) == expected) continue;
    CAPTURE(rung.name, m, k, n, static_cast<int>(left), static_cast<int>(right), sizeof(T));
    CHECK(computed(a.matrix, b.matrix, T{7}, rung.multiply) == expected);
  }
  // Accumulating adds the product to what is there; what is there is 7.
  auto sums = expected;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) sums[static_cast<std::size_t>(i * (n + 2) + j)] += 7;
  const auto add = [](const Matrix<T>& x, const Matrix<T>& y, T* c, std::int64_t step) {
    multiply(x, y, c, step, true);
  };
  if (computed(a.matrix, b.matrix, T{7}, add) == sums) return;
  CAPTURE(m, k, n, static_cast<int>(left), static_cast<int>(right), sizeof(T));
  CHECK(computed(a.matrix, b.matrix, T{7}, add) == sums);
}

}  // namespace

TEST_CASE("matmul ladder: every rung agrees with the first on hostile sizes", "[matmul]") {
  const std::int64_t sizes[] = {0, 1, 5, 6, 7, 13, 16, 33, 65};
  int turn = 0;
  for (auto m : sizes)
    for (auto k : {0, 1, 2, 3, 4, 5, 7, 13, 16, 33, 65})
      for (auto n : sizes) {
        const Layout left = layouts[turn % 7], right = layouts[turn / 7 % 7];
        turn += 1;
        compare_all<float>(m, k, n, left, right);
        compare_all<double>(m, k, n, left, right);
      }
}

// A tile adds the products of a number in the order of k, with one rounding each, whatever its height and width: so a
// piece of C does not depend on what is computed beside it. (A single row or column is a product with a vector, which
// adds otherwise.)
TEST_CASE("matmul ladder: a number has the same bits in a tile of any shape", "[matmul]") {
  const auto check = [](auto zero, std::int64_t depth) {
    using T = decltype(zero);
    const std::int64_t rows = 26, columns = 150;
    auto a = stored<T>(rows, depth, Layout::rows, 3), b = stored<T>(depth, columns, Layout::rows, 4);
    for (T& x : a.memory) x = std::sin(x);
    for (T& x : b.memory) x = std::cos(3 * x);
    const auto whole = [&](const Matrix<T>& x, const Matrix<T>& y) {
      std::vector<T> c(static_cast<std::size_t>(x.rows * y.columns));
      multiply(x, y, c.data(), y.columns);
      return c;
    };
    const std::vector<T> all = whole(a.matrix, b.matrix);
    for (std::int64_t m = 2; m <= 13; ++m)
      for (const std::int64_t n : {2, 7, 8, 16, 23, 32, 40, 48, 63, 64, 65})
        for (const std::int64_t j0 : {0, 85}) {
          const std::int64_t i0 = rows - m;
          const std::vector<T> piece = whole(a.matrix.block(i0, 0, m, depth), b.matrix.block(0, j0, depth, n));
          std::int64_t different = 0;
          for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j)
              if (piece[static_cast<std::size_t>(i * n + j)] !=
                  all[static_cast<std::size_t>((i0 + i) * columns + j0 + j)])
                ++different;
          CAPTURE(m, n, j0, depth, sizeof(T));
          CHECK(different == 0);
        }
  };
  for (const std::int64_t depth : {1, 2, 3, 4, 64, 130, 700}) {
    check(0.0f, depth);
    check(0.0, depth);
  }
}

// −1 + x·x, where x·x has one bit more than T: without it, the sum is another. Compilers fuse what they are told to,
// and options get lost on the way to them.
TEST_CASE("matmul ladder: a product and a sum are rounded once where the processor can", "[matmul]") {
  const auto check = [](auto x) {
    using T = decltype(x);
    const T low = (x - 1) * (x - 1);
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{2, 3}, {7, 65}, {64, 64}, {200, 300}}) {
      CAPTURE(rows, columns, sizeof(T));
      auto a = stored<T>(rows, 2, Layout::columns, 0), b = stored<T>(2, columns, Layout::rows, 0);
      std::fill_n(a.memory.begin(), rows, T{-1});
      std::fill_n(a.memory.begin() + rows, rows, x);
      std::fill_n(b.memory.begin(), columns, T{1});
      std::fill_n(b.memory.begin() + columns, columns, x);
#if defined(__FMA__) || defined(__aarch64__)
      const T expected = 2 * (x - 1) + low;
#else
      const T expected = 2 * (x - 1);
#endif
      std::vector<T> c(static_cast<std::size_t>(rows * columns));
      multiply(a.matrix, b.matrix, c.data(), columns);
      CHECK(std::all_of(c.begin(), c.end(), [=](T number) { return number == expected; }));
    }
    CHECK(low > 0);
  };
  check(1 + 0x1p-12f);
  check(1 + 0x1p-27);
}

TEST_CASE("matmul ladder: every pair of layouts, in one block and in several", "[matmul]") {
  for (Layout left : layouts)
    for (Layout right : layouts) {
      compare_all<float>(31, 67, 131, left, right);
      compare_all<double>(19, 37, 67, left, right);
      compare_all<float>(67, 1031, 70, left, right);  // packed, k in three blocks, enough work for threads
      compare_all<double>(97, 521, 37, left, right);
    }
}

TEST_CASE("matmul ladder: where operands are read as they lie, and just beyond", "[matmul]") {
  for (Layout left : {Layout::rows, Layout::columns, Layout::strided})
    for (Layout right : {Layout::rows, Layout::columns})
      for (auto [m, k, n] : {std::array<std::int64_t, 3>{130, 129, 128},  // a's columns in place
                             {257, 256, 80},                              // one row too many for that (f32)
                             {7, 40, 1024},                               // b's rows are pages apart: few rows of a,
                             {40, 40, 1024},                              // and more
                             {70, 315, 208},                              // b's panels in place for more than 64 rows
                             {70, 316, 208},                              // a row of b too many for that (f32)
                             {401, 300, 64},                              // a single panel in place for many rows (f32)
                             {401, 70, 32},                               // the same (f64)
                             {1700, 770, 17}}) {                          // k and a's rows in two stages each
        compare_all<float>(m, k, n, left, right);
        compare_all<double>(m, k, n, left, right);
      }
}

TEST_CASE("matmul ladder: vectors, long and wide", "[matmul]") {
  for (Layout left : layouts)
    for (Layout right : layouts)
      for (auto [m, k, n] : {std::array<std::int64_t, 3>{1, 3, 5001},
                             {1, 5003, 7},
                             {4999, 11, 1},
                             {3, 5003, 1},
                             {1, 70001, 1},
                             {2, 20011, 3}}) {
        compare_all<float>(m, k, n, left, right);
        compare_all<double>(m, k, n, left, right);
      }
}

TEST_CASE("matmul ladder: zero times infinity is seen, and what fills up a tile is not", "[matmul]") {
  // Column j of b is infinite for even j; the rows of a are zeros but for one, which is infinite.
  const std::int64_t m = 8, k = 3, n = 67;
  std::vector<float> a(m * k, 0), b(k * n, 1);
  for (std::int64_t i = 0; i < k; ++i) a[5 * k + i] = INFINITY;
  for (std::int64_t j = 0; j < n; j += 2) b[j] = INFINITY;
  for (const auto& rung : ladder<float>()) {
    CAPTURE(rung.name);
    std::vector<float> c(m * n, 7);
    rung.multiply({a.data(), m, k, k, 1}, {b.data(), k, n, n, 1}, c.data(), n);
    bool all_right = true;
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        const float x = c[i * n + j];
        all_right &= i == 5 ? x == INFINITY : j % 2 == 0 ? std::isnan(x) : x == 0;
      }
    CHECK(all_right);
  }
}

TEST_CASE("matmul ladder: the same bits for any number of threads, and alone inside a task", "[matmul][threads]") {
  const int before = thread_count();
  for (auto [m, k, n] : {std::array<std::int64_t, 3>{150, 700, 200},
                         {1000, 130, 30},
                         {30, 1100, 130},
                         {130, 129, 128},
                         {2000, 60, 128},
                         {1, 3000, 1000},
                         {1000, 3000, 1},
                         {1, 300000, 1},
                         {4, 60000, 7}})
    for (Layout layout : {Layout::rows, Layout::columns, Layout::strided}) {
      auto a = stored<float>(m, k, layout, 3), b = stored<float>(k, n, layout, 4);
      for (auto* memory : {&a.memory, &b.memory})  // numbers whose sums are rounded
        for (float& x : *memory) x = x / 3 + 0.1f;
      const auto product = [](const Matrix<float>& x, const Matrix<float>& y, float* c, std::int64_t step) {
        multiply(x, y, c, step);
      };
      set_thread_count(1);
      const auto expected = computed(a.matrix, b.matrix, 0.f, product);
      for (int threads : {2, 3, 5, 8}) {
        set_thread_count(threads);
        CAPTURE(m, k, n, static_cast<int>(layout), threads);
        CHECK(computed(a.matrix, b.matrix, 0.f, product) == expected);
        std::atomic<bool> alone{true};
        parallel_for(3, 1, [&](std::int64_t, std::int64_t) {
          if (computed(a.matrix, b.matrix, 0.f, product) != expected) alone = false;
        });
        CHECK(alone.load());
      }
    }
  set_thread_count(before);
}

}  // namespace regard::matmul_ladder

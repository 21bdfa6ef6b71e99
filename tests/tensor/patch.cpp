// Rows that become columns: every number of rows and columns, so that squares of each size and what is left beside and
// below them take part.
#include "tensor/loops/patch.h"
#include "tests/catch.h"

#include <numeric>
#include <vector>

namespace regard::loops {
namespace {

template <class T>
void check_sizes() {
  constexpr std::int64_t gap = 3;
  for (std::int64_t rows = 1; rows <= 40; ++rows)
    for (std::int64_t columns = 1; columns <= 40; ++columns) {
      CAPTURE(sizeof(T), rows, columns);
      const std::int64_t from_step = columns + gap, to_step = rows + gap;
      std::vector<T> from(static_cast<std::size_t>(rows * from_step));
      std::iota(from.begin(), from.end(), T{0});
      std::vector<T> to(static_cast<std::size_t>(columns * to_step), T{-1}), expected = to;
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j)
          expected[static_cast<std::size_t>(j * to_step + i)] = static_cast<T>(i * from_step + j);
      copy_patch(to.data(), {rows, columns, 1, to_step}, from.data(), {rows, columns, from_step, 1});
      CHECK(to == expected);  // what lies between its columns is left alone
    }
}

}  // namespace

TEST_CASE("patch: rows become columns, for every number of both") {
  check_sizes<float>();
  check_sizes<double>();
  check_sizes<std::int64_t>();
}

}  // namespace regard::loops

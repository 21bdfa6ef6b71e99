#include "tensor/matmul/engine/packed.h"

#include "tensor/matmul/engine/every_shape.h"
#include "tensor/threads/parallel.h"

namespace regard::matmul_ladder {
namespace {

// A panel of so many rows, 64 KiB where vectors have 64 bytes, waits in the near caches while all rows of a meet it.
constexpr std::int64_t depth = 256;

}  // namespace

template <class T>
PackedMatrix<T>::PackedMatrix(const Matrix<T>& b)
    : rows_(b.rows),
      columns_(b.columns),
      panels_(static_cast<std::size_t>(b.rows * whole_vectors<T>(b.columns)) * sizeof(T)) {
  constexpr std::int64_t width = tile_columns<T>;
  T* const to = static_cast<T*>(panels_.data());
  const std::int64_t panels = (columns_ + width - 1) / width;
  parallel_for(panels, items_of_a_task(rows_ * width), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t j = begin * width; j < std::min(end * width, columns_); j += width)
      packed_panel(b.block(0, j, rows_, std::min(width, columns_ - j)), to + j * rows_);
  });
}

template <class T>
void PackedMatrix<T>::multiply(const Matrix<T>& a, T* c, std::int64_t c_row_step, bool accumulate) const {
  const T* const from = static_cast<const T*>(panels_.data());
  for (std::int64_t j = 0; j < columns_; j += tile_columns<T>) {
    const std::int64_t columns = std::min(tile_columns<T>, columns_ - j), filled = whole_vectors<T>(columns);
    for (std::int64_t k = 0; k < rows_; k += depth) {
      const std::int64_t steps = std::min(depth, rows_ - k);
      const Matrix<T> panel{from + j * rows_ + k * filled, steps, columns, filled, 1};
      multiply_panel(a.block(0, k, a.rows, steps), panel, c + j, c_row_step, accumulate || k > 0);
    }
  }
}

template class PackedMatrix<float>;
template class PackedMatrix<double>;

}  // namespace regard::matmul_ladder

#include "tensor/matmul.h"

#include "tensor/kernels/walk.h"
#include "tensor/matmul/1_naive.h"
#include "tensor/parallel.h"
#include "tensor/view.h"

#include <algorithm>

namespace regard {
namespace {

using matmul_ladder::Matrix;

// The axes in front of the last two.
Shape batch_of(const Shape& shape) {
  Shape batch;
  for (int axis = 0; axis < shape.rank() - 2; ++axis) batch.push_back(shape[axis]);
  return batch;
}

template <class T>
Matrix<T> matrix_at(const Tensor& x, std::int64_t offset) {
  return {x.data<T>() + offset, x.shape().back(2), x.shape().back(1), x.strides().back(2), x.strides().back(1)};
}

// Both operands have at least two axes. Rows of all products of the batch are shared out together.
template <class T>
Tensor batched_matmul(const Tensor& a, const Tensor& b) {
  const Shape batch = broadcast("matmul", batch_of(a.shape()), batch_of(b.shape()));
  const std::int64_t m = a.shape().back(2), k = a.shape().back(1), n = b.shape().back(1);
  Shape shape = batch;
  shape.push_back(m);
  shape.push_back(n);
  Tensor c = empty(shape, a.dtype());
  T* out = c.writable<T>();

  const auto batch_strides = [&](const Tensor& x) {
    const Tensor corner = select(select(x, -1, 0), -1, 0);  // the first element of every matrix
    return kernels::broadcast_strides(corner, batch);
  };
  if (c.numel() == 0) return c;
  if (k == 0) {
    std::fill_n(out, c.numel(), T{0});
    return c;
  }
  const kernels::Walk<2> products(batch, {batch_strides(a), batch_strides(b)});

  const std::int64_t rows = batch.numel() * m;
  const std::int64_t rows_per_task = std::max<std::int64_t>(1, (1 << 15) / std::max<std::int64_t>(n * k, 1));
  parallel_for(rows, rows_per_task, [&](std::int64_t begin, std::int64_t end) {
    products.run(begin / m, (end + m - 1) / m, [&](std::int64_t product, const auto& offset, std::int64_t count) {
      const auto [a_step, b_step] = products.row_steps();
      for (std::int64_t p = 0; p < count; ++p) {
        const std::int64_t first_row = (product + p) * m;
        matmul_ladder::naive(matrix_at<T>(a, offset[0] + p * a_step), matrix_at<T>(b, offset[1] + p * b_step),
                             out + first_row * n, std::max(begin - first_row, std::int64_t{0}),
                             std::min(end - first_row, m));
      }
    });
  });
  return c;
}

}  // namespace

void require_matmul(const Shape& a, const Shape& b) {
  if (a.rank() == 0 || b.rank() == 0)
    fail<ShapeError>("matmul: {} × {}: a single number is not a matrix (a * b multiplies by it)", a, b);
  const std::int64_t inner = b.rank() == 1 ? b[0] : b.back(2);
  const bool transposed_fits = b.rank() >= 2 && a.back() == b.back(1);
  if (a.back() != inner)
    fail<ShapeError>("matmul: {} × {}: the inner dimensions {} and {} differ{}", a, b, a.back(), inner,
                     transposed_fits ? " (did you mean transpose(b)?)" : "");
  const Shape left = batch_of(a), right = batch_of(b);
  for (int i = 1; i <= std::min(left.rank(), right.rank()); ++i)
    if (left.back(i) != right.back(i) && left.back(i) != 1 && right.back(i) != 1)
      fail<ShapeError>("matmul: {} × {}: the batches {} and {} do not broadcast", a, b, left, right);
}

Tensor matmul(const Tensor& a, const Tensor& b) {
  require_same_dtype("matmul", a, b);
  require_matmul(a.shape(), b.shape());
  const Tensor left = a.rank() == 1 ? unsqueeze(a, 0) : a;
  const Tensor right = b.rank() == 1 ? unsqueeze(b, 1) : b;
  Tensor c = dispatch(a.dtype(), [&](auto zero) { return batched_matmul<decltype(zero)>(left, right); });
  if (b.rank() == 1) c = squeeze(c, -1);
  if (a.rank() == 1) c = squeeze(c, b.rank() == 1 ? -1 : -2);
  return c;
}

void require_bmm(const Shape& a, const Shape& b) {
  if (a.rank() != 3 || b.rank() != 3 || a[0] != b[0])
    fail<ShapeError>("bmm: {} × {}: needs (B, M, K) and (B, K, N) with the same B (matmul broadcasts)", a, b);
}

Tensor bmm(const Tensor& a, const Tensor& b) {
  require_bmm(a.shape(), b.shape());
  return matmul(a, b);
}

void require_vectors(const char* operation, const Shape& a, const Shape& b) {
  if (a.rank() != 1 || b.rank() != 1)
    fail<ShapeError>("{}: {} and {}: both must be vectors, with one axis", operation, a, b);
}

Tensor outer(const Tensor& a, const Tensor& b) {
  require_vectors("outer", a.shape(), b.shape());
  return matmul(unsqueeze(a, 1), unsqueeze(b, 0));
}

Tensor dot(const Tensor& a, const Tensor& b) {
  require_vectors("dot", a.shape(), b.shape());
  return matmul(a, b);
}

}  // namespace regard

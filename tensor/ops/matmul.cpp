#include "tensor/ops/matmul.h"

#include "tensor/loops/copy.h"
#include "tensor/loops/walk.h"
#include "tensor/matmul/bf16.h"
#include "tensor/matmul/multiply.h"
#include "tensor/threads/parallel.h"
#include "tensor/view.h"

#include <algorithm>

namespace regard {
namespace {

using matmul_ladder::Matrix;
using matmul_ladder::multiply;

// The axes in front of the last two.
Shape batch_of(const Shape& shape) { return shape.without(-1).without(-1); }

// The first matrix of a batch. A vector is a row on the left, and on the right a column.
template <class T>
Matrix<T> first_matrix(const Tensor& x, bool is_left) {
  const T* data = x.data<T>();
  if (x.rank() > 1) return {data, x.shape().back(2), x.shape().back(1), x.strides().back(2), x.strides().back(1)};
  const Matrix<T> row{data, 1, x.shape()[0], 0, x.strides()[0]};
  return is_left ? row : row.transposed();
}

// From this many multiply-adds on each product is cut among the threads; smaller products are shared out whole.
constexpr std::int64_t large_product = 1 << 26;

template <class T>
void multiply_batch(const Tensor& a, const Tensor& b, const Shape& batch, T* c) {
  const Matrix<T> left = first_matrix<T>(a, true), right = first_matrix<T>(b, false);
  const std::int64_t c_size = left.rows * right.columns, work = c_size * left.columns, count = batch.numel();
  const auto one_after_another = [&](std::int64_t begin, std::int64_t end) {
    const auto batch_strides = [&](const Tensor& x) {  // of the strides, those of rows and columns are not looked at
      return batch_of(loops::broadcast_strides(x, Shape::filled(batch.rank() + 2, 1)));
    };
    const loops::Walk<2> products(batch, {batch_strides(a), batch_strides(b)});
    products.run(begin, end, [&](std::int64_t first, const auto& offset, std::int64_t run) {
      Matrix<T> x = left, y = right;
      for (std::int64_t i = 0; i < run; ++i) {
        x.data = left.data + offset[0] + i * products.row_steps()[0];
        y.data = right.data + offset[1] + i * products.row_steps()[1];
        multiply(x, y, c + (first + i) * c_size, right.columns);
      }
    });
  };
  if (work >= large_product) return one_after_another(0, count);
  parallel_for(count, items_of_a_task(work / multiply_adds_of_a_number), one_after_another);
}

void require_linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (weight.dtype() != DType::bf16 || x.dtype() != DType::f32) require_same_dtype("linear", x, weight);
  if (x.rank() == 0 || weight.rank() != 2 || x.shape().back() != weight.shape()[1])
    fail<ShapeError>("linear: x {} and weight {}: needs (…, in) and (out, in)", x.shape(), weight.shape());
  if (!bias.defined()) return;
  require_same_dtype("linear", x, bias);
  if (bias.shape() != Shape{weight.shape()[0]})
    fail<ShapeError>("linear: weight {} and bias {}: needs (out, in) and (out)", weight.shape(), bias.shape());
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
  const Shape batch = broadcast("matmul", batch_of(a.shape()), batch_of(b.shape()));
  Shape shape = batch;
  if (a.rank() > 1) shape.push_back(a.shape().back(2));
  if (b.rank() > 1) shape.push_back(b.shape().back(1));
  Tensor c = empty(shape, a.dtype());
  dispatch(a.dtype(), [&]<class T>(T) {
    if (batch.rank() > 0) return multiply_batch<T>(a, b, batch, c.writable<T>());
    const Matrix<T> right = first_matrix<T>(b, false);
    multiply(first_matrix<T>(a, true), right, c.writable<T>(), right.columns);
  });
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

void require_outer(const Shape& a, const Shape& b) {
  if (a.rank() != 1 || b.rank() != 1) fail<ShapeError>("outer: {} and {}: both must be vectors, with one axis", a, b);
}

Tensor outer(const Tensor& a, const Tensor& b) {
  require_outer(a.shape(), b.shape());
  return matmul(unsqueeze(a, 1), unsqueeze(b, 0));
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  require_linear(x, weight, bias);
  const Shape shape = x.shape().with(-1, weight.shape()[0]);
  Tensor y = empty(shape, x.dtype());
  if (bias.defined()) loops::copy_into(y, expand(bias, shape));
  const Tensor rows = x.rank() == 1 ? x : flatten(x, 0, -2);
  if (weight.dtype() == DType::bf16) {
    const Tensor packed = contiguous(rows), w = contiguous(weight);
    multiply_bf16(first_matrix<float>(packed, true), first_matrix<BFloat16>(w, false), y.writable<float>(),
                  bias.defined());
    return y;
  }
  dispatch(x.dtype(), [&]<class T>(T) {
    multiply(first_matrix<T>(rows, true), first_matrix<T>(weight, false).transposed(), y.writable<T>(), shape.back(),
             bias.defined());
  });
  return y;
}

}  // namespace regard

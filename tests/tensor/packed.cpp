// A packed matrix gives the products that the matrix gives, and no bit of a row depends on how many rows there are.
#include "tensor/matmul/engine/packed.h"
#include "tensor/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard {
namespace {

using matmul_ladder::Matrix, matmul_ladder::PackedMatrix;

template <class T>
Matrix<T> matrix_of(const Tensor& x) {
  return {x.data<T>(), x.size(0), x.size(1), x.strides()[0], x.strides()[1]};
}

template <class T>
Tensor product(const Tensor& a, const PackedMatrix<T>& b, std::int64_t columns) {
  Tensor c = empty({a.size(0), columns}, a.dtype());
  b.multiply(matrix_of<T>(a), c.writable<T>(), columns);
  return c;
}

template <class T>
void check_products() {
  constexpr DType dtype = dtype_of<T>();
  for (const std::int64_t depth : {1, 7, 256, 257, 600})
    for (const std::int64_t columns : {1, 15, 16, 63, 64, 65, 150}) {
      INFO(depth << " steps, " << columns << " columns");
      const Tensor a = noise({9, depth}, 1, dtype), b = noise({depth, columns}, 2, dtype);
      const PackedMatrix<T> packed(matrix_of<T>(b)), turned(matrix_of<T>(transpose(contiguous(transpose(b)))));
      const Tensor c = product(a, packed, columns);
      CHECK(allclose(c, matmul(a, b), dtype == DType::f64 ? 1e-12 : 2e-4, dtype == DType::f64 ? 1e-12 : 1e-4));
      CHECK(identical(c, product(a, turned, columns)));
      for (const auto& [begin, end] : {std::pair{0, 1}, {3, 5}, {2, 9}})
        CHECK(identical(product(slice(a, 0, begin, end), packed, columns), slice(c, 0, begin, end)));

      Tensor twice = add(c, 0);
      packed.multiply(matrix_of<T>(a), twice.writable<T>(), columns, true);
      CHECK(allclose(twice, c + c, dtype == DType::f64 ? 1e-13 : 1e-5, dtype == DType::f64 ? 1e-13 : 1e-5));
    }
}

}  // namespace

TEST_CASE("packed: products of every shape, f32") { check_products<float>(); }

TEST_CASE("packed: products of every shape, f64") { check_products<double>(); }

}  // namespace regard

// An index that is the same along all other axes moves whole slices. The same index written out, which nothing can be
// told of, must give the same bits.
#include "tensor/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard {

TEST_CASE("slices: gather and scatter_add do not depend on how the index is stored") {
  for (const Shape& shape : {Shape{7, 3}, Shape{7, 130}, Shape{4, 7, 65}, Shape{2, 3, 7, 5}, Shape{7, 1}, Shape{7}}) {
    const int axis = shape.rank() > 2 ? shape.rank() - 2 : 0;
    const Tensor x = noise(shape, 1, DType::f32), rows = tensor({6, 0, 0, 3, 6}, DType::i64);
    const Tensor spread = spread_index(x, axis, rows), written = add(spread, zeros(spread.shape(), DType::i64));
    REQUIRE(written.is_contiguous());
    const Tensor picked = gather(x, axis, spread);
    CHECK(identical(picked, gather(x, axis, written)));
    CHECK(identical(gather(transpose(contiguous(transpose(x, 0, -1)), 0, -1), axis, spread), picked));
    const Tensor y = scatter_add(x, axis, spread, picked);
    CHECK(identical(y, scatter_add(x, axis, written, picked)));
    CHECK(identical(select(y, axis, 6), select(x, axis, 6) + select(x, axis, 6) + select(x, axis, 6)));
  }
}

TEST_CASE("slices: of nothing, and from nothing") {
  const Tensor none = zeros({0}, DType::i64);
  CHECK(index_select(noise({4, 3}, 1, DType::f32), 0, none).shape() == Shape{0, 3});
  CHECK(index_select(noise({4, 0}, 1, DType::f32), 0, tensor({1, 2}, DType::i64)).shape() == Shape{2, 0});
  CHECK(identical(scatter_add(ones({2, 3}), 0, zeros({0, 3}, DType::i64), zeros({0, 3})), ones({2, 3})));
}

TEST_CASE("slices: the result is packed, and the same for any number of threads", "[threads]") {
  Generator generator(3);
  const Tensor x = noise({300, 200}, 1, DType::f32), rows = permutation(300, generator);
  const int before = thread_count();
  set_thread_count(1);
  const Tensor one = index_select(x, 0, rows), sum = scatter_add(x, 0, spread_index(x, 0, rows), one);
  set_thread_count(5);
  CHECK(identical(index_select(x, 0, rows), one));
  CHECK(identical(scatter_add(x, 0, spread_index(x, 0, rows), one), sum));
  set_thread_count(before);
  CHECK(one.is_contiguous());
}

}  // namespace regard

// All ways of walking through memory against the plain loop, which is what they mean.
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/loops/copy.h"
#include "tensor/loops/fold.h"
#include "tensor/loops/plain.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"
#include "tests/catch.h"
#include "tests/tensor/threads.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace regard {

namespace {

// 0, 1, 2, … in the order of memory.
Tensor counted(const Shape& shape, DType dtype) {
  return reshape(arange(0, static_cast<double>(shape.numel()), 1, dtype), shape);
}

std::vector<int> backwards(int rank) {
  std::vector<int> order(static_cast<std::size_t>(rank));
  std::iota(order.rbegin(), order.rend(), 0);
  return order;
}

Shape reversed(const Shape& shape) {
  Shape result;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) result.push_back(shape[axis]);
  return result;
}

// Every second element along all axes of something larger, from the second one on.
Tensor gapped(const Shape& shape, DType dtype) {
  Shape whole;
  for (const std::int64_t size : shape) whole.push_back(2 * size + 1);
  Tensor x = counted(whole, dtype);
  for (int axis = 0; axis < shape.rank(); ++axis) x = slice(x, axis, 1, 2 * shape[axis] + 1, 2);
  return x;
}

// Repeated along one axis.
Tensor repeated(Shape shape, int axis, DType dtype) {
  const Shape whole = shape;
  shape[axis] = 1;
  return expand(counted(shape, dtype), whole);
}

// Tensors of one shape that lie in memory in different ways.
std::vector<Tensor> layouts(const Shape& shape, DType dtype) {
  const int rank = shape.rank();
  std::vector<Tensor> made{counted(shape, dtype), permute(counted(reversed(shape), dtype), backwards(rank)),
                           gapped(shape, dtype), permute(gapped(reversed(shape), dtype), backwards(rank)),
                           expand(full({}, 3, dtype), shape)};
  for (int axis = 0; axis < rank; ++axis) {
    made.push_back(flip(made[static_cast<std::size_t>(axis) % 4], axis));
    made.push_back(repeated(shape, axis, dtype));
  }
  return made;
}

const Shape walked[] = {{},
                        {0},
                        {1},
                        {5},
                        {67},
                        {2, 0, 3},
                        {1, 1},
                        {3, 5},
                        {64, 65},
                        {65, 257},
                        {130, 70},
                        {1000, 3},
                        {3, 1000},
                        {1, 5000},
                        {3, 1, 70},
                        {2, 3, 4, 5},
                        {5, 66, 3, 67},
                        {2, 3, 2, 3, 2, 70},
                        {70, 2, 3, 2, 3, 2},
                        {40000}};

// a + 2b − 3c by the plain loop; whole numbers, so that nothing is rounded.
template <class T>
Tensor plainly(const Tensor& a, const Tensor& b, const Tensor& c) {
  Tensor result = empty(a.shape(), a.dtype());
  T* out = result.writable<T>();
  const T *x = a.data<T>(), *y = b.data<T>(), *z = c.data<T>();
  loops::plain_loop<4>(a.shape(), {result.strides(), a.strides(), b.strides(), c.strides()},
                       [&](const auto& at) { out[at[0]] = x[at[1]] + 2 * y[at[2]] - 3 * z[at[3]]; });
  return result;
}

}  // namespace

TEST_CASE("plain loop: by hand, a transposed and a reversed operand") {
  const Tensor x = transpose(tensor({{1, 2, 3}, {4, 5, 6}})), y = flip(tensor({{10, 20}, {30, 40}, {50, 60}}), 0);
  const float *a = x.data<float>(), *b = y.data<float>();
  std::vector<float> sums;
  loops::plain_loop<2>({3, 2}, {x.strides(), y.strides()},
                       [&](const auto& at) { sums.push_back(a[at[0]] + b[at[1]]); });
  CHECK(sums == std::vector<float>{51, 64, 32, 45, 13, 26});
}

TEMPLATE_TEST_CASE("plain loop: row by row is the same, however x lies", "", float, double, std::int64_t) {
  for (const Shape& shape : walked)
    for (const Tensor& x : layouts(shape, dtype_of<TestType>())) {
      CAPTURE(shape, x.strides());
      Tensor tripled = empty(shape, x.dtype());
      loops::rows_loop(x, tripled.template writable<TestType>(), [](TestType a) { return 3 * a; });
      REQUIRE(identical(tripled, plainly<TestType>(x, x, zeros(shape, x.dtype()))));  // x + 2x − 3·0
    }
}

TEMPLATE_TEST_CASE("plain loop: map is the same, however its operands lie", "[threads]", float, double, std::int64_t) {
  const auto sum = [](TestType a, TestType b, TestType c) { return a + 2 * b - 3 * c; };
  for (const int threads : {1, 3}) {
    const Threads some(threads);
    for (const Shape& shape : walked) {
      const auto all = layouts(shape, dtype_of<TestType>());
      for (std::size_t i = 0; i < all.size(); ++i)
        for (const std::size_t distance : {0, 1, 2, 5}) {
          const std::size_t j = (i + distance) % all.size();
          const Tensor &a = all[i], &b = all[j], &c = all[(i + 3 * j) % all.size()];
          CAPTURE(threads, shape, i, j);
          REQUIRE(identical(loops::map_broadcast<TestType, TestType>(shape, sum, a, b, c), plainly<TestType>(a, b, c)));
        }
    }
  }
}

TEST_CASE("plain loop: an operand is broadcast as if it had been expanded") {
  const auto difference = [](float a, float b) { return a - 2 * b; };
  const Shape shape{5, 66, 3, 67};
  const Tensor a = counted(shape, DType::f32);
  for (const Shape& small :
       {Shape{}, Shape{67}, Shape{3, 1}, Shape{66, 1, 1}, Shape{66, 1, 67}, Shape{5, 1, 1, 1}, Shape{5, 66, 3, 1}}) {
    CAPTURE(small);
    const Tensor b = counted(small, DType::f32), expanded = expand(b, shape);
    CHECK(identical(loops::map_broadcast<float, float>(shape, difference, a, b),
                    loops::map_broadcast<float, float>(shape, difference, a, contiguous(expanded))));
    Tensor expected = empty(shape, DType::f32);
    float* out = expected.writable<float>();
    const float *x = a.data<float>(), *y = b.data<float>();
    loops::plain_loop<3>(shape, {expected.strides(), a.strides(), expanded.strides()},
                         [&](const auto& at) { out[at[0]] = difference(x[at[1]], y[at[2]]); });
    CHECK(identical(loops::map_broadcast<float, float>(shape, difference, a, b), expected));
  }
}

// The target, too, may lie anyhow; and nothing beside it is touched.
TEMPLATE_TEST_CASE("plain loop: copies into targets that lie anyhow", "[threads]", float, double, std::int64_t) {
  const DType dtype = dtype_of<TestType>();
  for (const int threads : {1, 3}) {
    const Threads some(threads);
    for (const Shape& shape : walked) {
      const auto sources = layouts(shape, dtype), targets = layouts(shape, dtype);
      for (const std::size_t lies : {0, 1, 2, 3, 5}) {
        if (lies >= targets.size()) continue;
        Tensor target = targets[lies];
        std::int64_t held = 1;  // in memory, with the gaps of those that have them
        for (const std::int64_t size : shape) held *= lies == 2 || lies == 3 ? 2 * size + 1 : size;
        const TestType* memory = target.template writable<TestType>() - target.offset();
        std::vector<TestType> expected(memory, memory + held);
        for (std::size_t i = 0; i < sources.size(); ++i) {
          CAPTURE(threads, shape, i, lies);
          const TestType* from = sources[i].template data<TestType>();
          loops::plain_loop<2>(shape, {target.strides(), sources[i].strides()}, [&](const auto& at) {
            expected[static_cast<std::size_t>(target.offset() + at[0])] = from[at[1]];
          });
          loops::copy_into(target, sources[i]);
          REQUIRE(std::equal(expected.begin(), expected.end(), memory));
        }
      }
    }
  }
}

TEST_CASE("plain loop: sums over any axes are the same") {
  for (const Shape& shape : walked)
    for (const Tensor& x : layouts(shape, DType::i64))
      for (int marked = 1; marked < 1 << shape.rank(); ++marked) {
        std::vector<int> axes;
        Shape kept = shape;
        for (int axis = 0; axis < shape.rank(); ++axis)
          if (marked >> axis & 1) {
            axes.push_back(axis);
            kept[axis] = 1;
          }
        CAPTURE(shape, x.strides(), axes);
        Tensor expected = zeros(kept, DType::i64);
        std::int64_t* out = expected.writable<std::int64_t>();
        const std::int64_t* in = x.data<std::int64_t>();
        loops::plain_loop<2>(shape, {loops::broadcast_strides(expected, shape), x.strides()},
                             [&](const auto& at) { out[at[0]] += in[at[1]]; });
        REQUIRE(identical(sum(x, ReducedAxes(axes), KeepDim::yes), expected));
      }
}

}  // namespace regard

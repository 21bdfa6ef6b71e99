// matmul against three loops over at(), which share nothing with it.
#include "tensor/ops/matmul.h"

#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/random/random.h"
#include "tensor/view.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <cmath>

namespace regard {
using Values = std::vector<double>;

namespace {

// Small whole numbers, so that every sum is exact and must agree to the last bit, whatever the order of additions.
Tensor whole_numbers(const Shape& shape, DType dtype, std::uint64_t seed) {
  Generator generator(seed);
  return to(to(uniform(shape, generator, -9, 10), DType::i64), dtype);
}

Tensor looped(const Tensor& a, const Tensor& b) {
  Values c;
  for (std::int64_t i = 0; i < a.size(0); ++i)
    for (std::int64_t j = 0; j < b.size(1); ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < a.size(1); ++k) sum += a.at({i, k}) * b.at({k, j});
      c.push_back(sum);
    }
  return tensor(c, {a.size(0), b.size(1)}, a.dtype());
}

// (M, K) in several layouts.
std::vector<Tensor> layouts(std::int64_t rows, std::int64_t columns, DType dtype, std::uint64_t seed) {
  const Tensor packed = whole_numbers({rows, columns}, dtype, seed);
  const Tensor transposed = transpose(whole_numbers({columns, rows}, dtype, seed));
  const Tensor with_gaps =
      slice(slice(whole_numbers({2 * rows, 3 * columns}, dtype, seed), 0, 1, to_end, 2), 1, 2, to_end, 3);
  const Tensor equal_rows = expand(whole_numbers({1, columns}, dtype, seed), {rows, columns});
  return {packed, transposed, with_gaps, flip(flip(packed, 0), 1), equal_rows};
}

}  // namespace

TEST_CASE("matmul: hostile sizes and layouts, exactly") {
  const std::int64_t sizes[] = {0, 1, 2, 3, 5, 17, 33};
  for (auto m : sizes)
    for (auto k : sizes)
      for (auto n : sizes) {
        const DType dtype = (m + k + n) % 3 == 0 ? DType::f64 : (m + k + n) % 3 == 1 ? DType::f32 : DType::i64;
        const auto lefts = layouts(m, k, dtype, 1), rights = layouts(k, n, dtype, 2);
        for (std::size_t l = 0; l < lefts.size(); ++l) {
          const Tensor &a = lefts[l], &b = rights[(l + static_cast<std::size_t>(m + n)) % rights.size()];
          if (identical(matmul(a, b), looped(a, b))) continue;
          CAPTURE(m, k, n, l, name_of(dtype));
          CHECK(to_vector(matmul(a, b)) == to_vector(looped(a, b)));
        }
      }
}

TEST_CASE("matmul: every pair of layouts, in every type") {
  for (DType dtype : {DType::f32, DType::f64, DType::i64})
    for (const Tensor& a : layouts(17, 33, dtype, 3))
      for (const Tensor& b : layouts(33, 5, dtype, 4)) {
        CHECK(identical(matmul(a, b), looped(a, b)));
        CHECK(matmul(a, b).dtype() == dtype);
      }
}

TEST_CASE("matmul: batches broadcast") {
  const std::pair<Shape, Shape> cases[] = {
      {{4, 3, 5}, {4, 5, 2}},       {{4, 3, 5}, {5, 2}},       {{3, 5}, {4, 5, 2}},
      {{1, 3, 5}, {4, 5, 2}},       {{4, 1, 3, 5}, {6, 5, 2}}, {{2, 1, 3, 5}, {1, 3, 5, 2}},
      {{2, 3, 4, 5}, {2, 3, 5, 4}}, {{0, 3, 5}, {1, 5, 2}},    {{7, 1, 1}, {7, 1, 1}}};
  for (const auto& [left, right] : cases) {
    const Tensor a = whole_numbers(left, DType::f32, 5), b = whole_numbers(right, DType::f32, 6);
    const Tensor c = matmul(a, b);
    const Shape batch = c.shape().without(-1).without(-1);
    CAPTURE(to_string(left), to_string(right), to_string(c.shape()));
    const auto widened = [&batch](const Tensor& x) {
      Shape shape = batch;
      shape.push_back(x.size(-2));
      shape.push_back(x.size(-1));
      return reshape(expand(x, shape), {batch.numel(), x.size(-2), x.size(-1)});
    };
    const Tensor wide_a = widened(a), wide_b = widened(b), flat = widened(c);
    for (std::int64_t i = 0; i < batch.numel(); ++i)
      CHECK(identical(select(flat, 0, i), looped(select(wide_a, 0, i), select(wide_b, 0, i))));
  }
}

TEST_CASE("matmul: batches in permuted memory, as attention heads are") {
  const Tensor q = permute(whole_numbers({2, 7, 3, 4}, DType::f64, 7), {0, 2, 1, 3});  // (B, L, H, D) → (B, H, L, D)
  const Tensor k = permute(whole_numbers({2, 9, 3, 4}, DType::f64, 8), {0, 2, 1, 3});
  const Tensor scores = matmul(q, transpose(k));
  REQUIRE(scores.shape() == Shape{2, 3, 7, 9});
  for (int b = 0; b < 2; ++b)
    for (int h = 0; h < 3; ++h)
      CHECK(identical(select(select(scores, 0, b), 0, h),
                      looped(select(select(q, 0, b), 0, h), transpose(select(select(k, 0, b), 0, h)))));
}

TEST_CASE("matmul: vectors are rows on the left and columns on the right") {
  const Tensor v = tensor({1, 2, 3}), m = tensor({{1, 2}, {3, 4}, {5, 6}});
  CHECK(matmul(v, v).shape() == Shape{});
  CHECK(matmul(v, v).item() == 14);
  CHECK(to_vector(matmul(v, m)) == Values{22, 28});
  CHECK(matmul(v, m).shape() == Shape{2});
  CHECK(to_vector(matmul(transpose(m), v)) == Values{22, 28});
  CHECK(matmul(expand(m, {4, 3, 2}), tensor({1, 1})).shape() == Shape{4, 3});
  CHECK(matmul(v, expand(m, {4, 5, 3, 2})).shape() == Shape{4, 5, 2});
  CHECK(matmul(zeros({0}), zeros({0})).item() == 0);
  CHECK(to_vector(matmul(zeros({0}), zeros({0, 3}))) == Values{0, 0, 0});
}

TEST_CASE("matmul: outer and bmm") {
  CHECK(to_vector(outer(tensor({1, 2}), tensor({3, 4, 5}))) == Values{3, 4, 5, 6, 8, 10});
  CHECK(outer(zeros({0}), ones({2})).shape() == Shape{0, 2});
  const Tensor a = whole_numbers({3, 2, 4}, DType::f32, 9), b = whole_numbers({3, 4, 5}, DType::f32, 10);
  CHECK(identical(bmm(a, b), matmul(a, b)));
  CHECK_THROWS_AS(bmm(a, select(b, 0, 0)), ShapeError);
  CHECK_THROWS_AS(bmm(a, slice(b, 0, 0, 1)), ShapeError);
  CHECK_THROWS_AS(outer(tensor(1), tensor({1})), ShapeError);
}

TEST_CASE("matmul: what does not fit is refused") {
  CHECK_THROWS_AS(matmul(ones({2, 3}), ones({2, 3})), ShapeError);
  CHECK_THROWS_AS(matmul(ones({2, 3}), ones({2})), ShapeError);
  CHECK_THROWS_AS(matmul(tensor(2), ones({2})), ShapeError);
  CHECK_THROWS_AS(matmul(ones({2, 3, 4}), ones({3, 4, 5})), ShapeError);
  CHECK_THROWS_AS(matmul(ones({2, 2}), ones({2, 2}, DType::f64)), DTypeError);
}

TEST_CASE("matmul: NaN and infinity reach their row, and no further") {
  const Tensor a = tensor({{1, 2}, {NAN, 1}, {inf, 0}}), b = tensor({{1, -1}, {1, 1}});
  CHECK(allclose(matmul(a, b), tensor({{3, 1}, {NAN, NAN}, {inf, -inf}}), 0, 0));
  // 0·∞ is NaN: zeros may not be skipped.
  CHECK(std::isnan(matmul(tensor({0, 1}), tensor({inf, 1})).item()));
}

TEST_CASE("matmul: f32 and f64 agree on real numbers") {
  Generator generator(11);
  const Tensor a = normal({65, 300}, generator), b = normal({300, 70}, generator);
  const Tensor exact = matmul(to(a, DType::f64), to(b, DType::f64));
  CHECK(largest_difference(matmul(a, b), exact) < 1e-4);  // |c| is about √300; 300 roundings of 6e-8 each at the worst
}

TEST_CASE("linear: a layer by hand, whatever is in front of the last axis") {
  // Two features; the outputs are their sum plus 10, their difference, and twice the second minus 1.
  const Tensor w = tensor({{1, 1}, {1, -1}, {0, 2}}, DType::f64), b = tensor({10, 0, -1}, DType::f64);
  const Tensor x = tensor({{3, 1}, {0, 5}}, DType::f64), y = tensor({{14, 2, 1}, {15, -5, 9}}, DType::f64);
  CHECK(identical(linear(x, w, b), y));
  CHECK(identical(linear(reshape(x, {1, 2, 1, 2}), w, b), reshape(y, {1, 2, 1, 3})));
  CHECK(identical(linear(select(x, 0, 1), w, b), select(y, 0, 1)));
  CHECK(identical(linear(x, w), subtract(y, b)));
}

TEST_CASE("linear: the product and the bias, for views, many blocks, and nothing at all") {
  const Tensor x = noise({1300, 70}, 1, DType::f64), w = noise({37, 1300}, 2, DType::f64),
               b = noise({37}, 3, DType::f64);
  CHECK(allclose(linear(transpose(x), w, b), add(matmul(transpose(x), transpose(w)), b), 1e-13, 1e-12));
  CHECK(
      allclose(linear(transpose(x), w, flip(b, 0)), add(matmul(transpose(x), transpose(w)), flip(b, 0)), 1e-13, 1e-12));
  CHECK(linear(zeros({0, 2}), zeros({3, 2}), zeros({3})).shape() == Shape{0, 3});
  CHECK(identical(linear(zeros({2, 0}), zeros({3, 0}), ones({3})), ones({2, 3})));  // sums of nothing
  CHECK(identical(linear(tensor({2}, DType::i64), tensor({{3}}, DType::i64), tensor({4}, DType::i64)),
                  tensor({10}, DType::i64)));
  const Tensor bias = ones({3});
  linear(zeros({1, 2}), zeros({3, 2}), bias);
  CHECK(identical(bias, ones({3})));
}

TEST_CASE("linear: a row gives the same bits alone, among few and among many") {
  for (const DType dtype : {DType::f32, DType::f64})
    for (const auto& [in, out] : {std::pair{1, 1},
                                  {3, 5},
                                  {600, 7},
                                  {70, 15},
                                  {7, 40},
                                  {64, 9},
                                  {64, 64},
                                  {172, 33},
                                  {300, 517},
                                  {1025, 70},
                                  {2048, 17},
                                  {70, 4099}})
      for (const bool transposed : {false, true}) {
        INFO(name_of(dtype) << ", " << in << " to " << out << (transposed ? ", W by columns" : ""));
        const Tensor w = transposed ? transpose(noise({in, out}, 1, dtype)) : noise({out, in}, 1, dtype);
        const Tensor x = noise({40, in}, 2, dtype), b = noise({out}, 3, dtype);
        for (const Tensor& bias : {Tensor(), b}) {
          const Tensor all = linear(x, w, bias);
          for (const std::int64_t row : {0, 17, 39})
            CHECK(identical(linear(slice(x, 0, row, row + 1), w, bias), slice(all, 0, row, row + 1)));
          for (std::int64_t rows = 2; rows <= 9; ++rows)
            CHECK(identical(linear(slice(x, 0, 17, 17 + rows), w, bias), slice(all, 0, 17, 17 + rows)));
          CHECK(identical(linear(transpose(noise({in, 1}, 5, dtype)), w, bias),
                          slice(linear(cat({transpose(noise({in, 1}, 5, dtype)), x}, 0), w, bias), 0, 0, 1)));
        }
      }
}

}  // namespace regard

#include "tensor/ops/join.h"

#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/view.h"
#include "tests/catch.h"

namespace regard {
using Values = std::vector<double>;

namespace {

const Tensor joined = tensor({{1, 2, 3}, {4, 5, 6}});

}  // namespace

TEST_CASE("join: cat puts tensors end to end") {
  const Tensor y = tensor({{7, 8, 9}});
  CHECK(to_vector(cat({joined, y}, 0)) == Values{1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(cat({joined, y, joined}, -2).shape() == Shape{5, 3});
  CHECK(to_vector(cat({joined, tensor({{-1}, {-2}})}, 1)) == Values{1, 2, 3, -1, 4, 5, 6, -2});
  CHECK(to_vector(cat({transpose(joined), flip(transpose(joined), 0)}, 1)) ==
        Values{1, 4, 3, 6, 2, 5, 2, 5, 3, 6, 1, 4});
  CHECK(to_vector(cat({joined}, 0)) == to_vector(joined));
  CHECK(to_vector(cat({zeros({0, 3}), joined, zeros({0, 3})}, 0)) == to_vector(joined));
  CHECK(cat({arange(2), arange(1)}, 0).dtype() == DType::i64);
}

TEST_CASE("join: cat refuses what does not fit") {
  CHECK_THROWS_AS(cat({}, 0), ValueError);
  CHECK_THROWS_AS(cat({joined, ones({2, 2})}, 0), ShapeError);
  CHECK_THROWS_AS(cat({joined, ones({3})}, 0), ShapeError);
  CHECK_THROWS_AS(cat({joined, ones({2, 3}, DType::f64)}, 0), DTypeError);
  CHECK_THROWS_AS(cat({tensor(1), tensor(2)}, 0), ShapeError);
  CHECK_THROWS_AS(cat({joined, joined}, 2), ShapeError);
}

TEST_CASE("join: stack makes a new axis") {
  const Tensor y = joined * 10;
  CHECK(stack({joined, y}, 0).shape() == Shape{2, 2, 3});
  CHECK(stack({joined, y}, -1).shape() == Shape{2, 3, 2});
  for (int axis : {0, 1, 2, -1, -2, -3}) {
    CHECK(identical(contiguous(select(stack({joined, y}, axis), axis, 0)), joined));
    CHECK(identical(contiguous(select(stack({joined, y}, axis), axis, 1)), y));
  }
  CHECK(to_vector(stack({tensor(1), tensor(2)}, 0)) == Values{1, 2});
  CHECK_THROWS_AS(stack({}, 0), ValueError);
  CHECK_THROWS_AS(stack({joined, ones({2, 1})}, 0), ShapeError);
  CHECK_THROWS_AS(stack({joined, joined}, 3), ShapeError);
}

TEST_CASE("join: split gives views, and undoes cat") {
  const auto parts = split(joined, {1, 0, 2}, 1);
  REQUIRE(parts.size() == 3);
  CHECK(to_vector(parts[0]) == Values{1, 4});
  CHECK(parts[1].shape() == Shape{2, 0});
  CHECK(to_vector(parts[2]) == Values{2, 3, 5, 6});
  CHECK(parts[2].shares_buffer_with(joined));
  CHECK(identical(cat(parts, 1), joined));
  CHECK(split(zeros({0}), {}, 0).empty());
  CHECK_THROWS_AS(split(joined, {1, 1}, 1), ShapeError);
  CHECK_THROWS_AS(split(joined, {-1, 4}, 1), ShapeError);
  CHECK_THROWS_AS(split(joined, {2, 2}, 1), ShapeError);
}

TEST_CASE("join: pad makes room on every side") {
  CHECK(to_vector(pad(joined, {{0, 0}, {1, 2}})) == Values{0, 1, 2, 3, 0, 0, 0, 4, 5, 6, 0, 0});
  CHECK(to_vector(pad(joined, {{1, 0}, {0, 0}}, 9)) == Values{9, 9, 9, 1, 2, 3, 4, 5, 6});
  CHECK(pad(joined, {{1, 2}, {3, 4}}).shape() == Shape{5, 10});
  CHECK(identical(pad(transpose(joined), {{0, 0}, {0, 0}}), contiguous(transpose(joined))));
  CHECK(pad(tensor(3), {}).item() == 3);
  CHECK(to_vector(pad(zeros({0}), {{1, 1}}, 5)) == Values{5, 5});
  CHECK_THROWS_AS(pad(joined, {{1, 1}}), ShapeError);
  CHECK_THROWS_AS(pad(joined, {{0, 0}, {-1, 0}}), ValueError);
}

TEST_CASE("join: place is the reverse of slice") {
  for (std::int64_t begin : {0, 1, 4})
    for (std::int64_t step : {1, 2, 3}) {
      CAPTURE(begin, step);
      const Tensor whole = reshape(arange(1, 21), {2, 10}), part = slice(whole, 1, begin, to_end, step);
      const Tensor placed = place(part, {2, 10}, 1, begin, step);
      CHECK(identical(contiguous(slice(placed, 1, begin, to_end, step)), contiguous(part)));
      for (std::int64_t j = 0; j < 10; ++j)
        if (j < begin || (j - begin) % step != 0) CHECK(placed.at({1, j}) == 0);
    }
  CHECK(to_vector(place(tensor({5}), {4}, 0, 2, 7)) == Values{0, 0, 5, 0});
  CHECK(to_vector(place(zeros({0}), {2}, 0, 1, 1)) == Values{0, 0});
  CHECK_THROWS_AS(place(ones({3}), {4}, 0, 2, 1), ShapeError);
  CHECK_THROWS_AS(place(ones({3}), {2, 3}, 0, 0, 1), ShapeError);
}

TEST_CASE("sizes whose sum does not fit are refused before anything is written") {
  const std::int64_t most = INT64_MAX;
  CHECK_THROWS_WITH(pad(zeros({3}), {{most, most}}), fmt::format("pad: an axis of {} + 3 is too long", most));
  CHECK_THROWS_WITH(split(arange(3), {most, most, 5}, 0),
                    fmt::format("split: [{}, {}, 5] does not cut axis 0 of (3) into parts", most, most));
  CHECK_THROWS_WITH(place(ones({1}), {5}, 0, -2, 1), "place: cannot start at -2 and go in steps of 1");
}

}  // namespace regard

#include "tensor/view.h"

#include "tensor/create.h"
#include "tests/catch.h"

namespace regard {
using Values = std::vector<double>;

namespace {

const Tensor viewed = reshape(arange(24), {2, 3, 4});  // x[i, j, k] = 12i + 4j + k

// A view has the shape and elements it should, and has copied nothing.
void check_view(const Tensor& view, const Shape& shape, const Values& values) {
  CHECK(view.shape() == shape);
  CHECK(to_vector(view) == values);
  CHECK(view.shares_buffer_with(viewed));
}

}  // namespace

TEST_CASE("view: permute") {
  const Tensor y = permute(viewed, {2, 0, 1});
  CHECK(y.shape() == Shape{4, 2, 3});
  CHECK(y.shares_buffer_with(viewed));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) CHECK(y.at({k, i, j}) == 12 * i + 4 * j + k);
  CHECK(to_vector(permute(viewed, {-1, -3, -2})) == to_vector(y));
  CHECK(to_vector(permute(tensor(5), {})) == Values{5});
  CHECK_THROWS_AS(permute(viewed, {0, 1}), ShapeError);
  CHECK_THROWS_AS(permute(viewed, {0, 1, 1}), ShapeError);
  CHECK_THROWS_AS(permute(viewed, {0, 1, -2}), ShapeError);
  CHECK_THROWS_AS(permute(viewed, {0, 1, 3}), ShapeError);
}

TEST_CASE("view: transpose") {
  const Tensor row = slice(viewed, 0, 0, 1);
  check_view(transpose(row), {1, 4, 3}, {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  CHECK(transpose(viewed, 0, 1).shape() == Shape{3, 2, 4});
  CHECK(transpose(viewed, 0, 1).at({2, 1, 3}) == 23);
  CHECK(transpose(viewed, -3, -1).shape() == Shape{4, 3, 2});
  CHECK(to_vector(transpose(transpose(viewed, 0, 2), 0, 2)) == to_vector(viewed));
  CHECK(to_vector(transpose(viewed, 1, 1)) == to_vector(viewed));
  CHECK_THROWS_AS(transpose(arange(3)), ShapeError);  // a vector has no second axis from the end
}

TEST_CASE("view: unsqueeze and squeeze") {
  CHECK(unsqueeze(viewed, 0).shape() == Shape{1, 2, 3, 4});
  CHECK(unsqueeze(viewed, 3).shape() == Shape{2, 3, 4, 1});
  CHECK(unsqueeze(viewed, -1).shape() == Shape{2, 3, 4, 1});
  CHECK(unsqueeze(viewed, -4).shape() == Shape{1, 2, 3, 4});
  CHECK(unsqueeze(tensor(1), 0).shape() == Shape{1});
  CHECK_THROWS_AS(unsqueeze(viewed, 4), ShapeError);
  CHECK_THROWS_AS(unsqueeze(viewed, -5), ShapeError);

  const Tensor y = reshape(viewed, {1, 24, 1});
  CHECK(squeeze(y, 0).shape() == Shape{24, 1});
  CHECK(squeeze(y, -1).shape() == Shape{1, 24});
  CHECK(squeeze(y).shape() == Shape{24});
  CHECK(squeeze(tensor({{3}})).shape() == Shape{});
  check_view(squeeze(unsqueeze(slice(viewed, 0, 1, 2), 2), 2), {1, 3, 4},
             {12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23});
  CHECK_THROWS_AS(squeeze(y, 1), ShapeError);
}

TEST_CASE("view: expand repeats without copying") {
  const Tensor column = reshape(slice(flatten(viewed), 0, 0, 3), {3, 1});
  check_view(expand(column, {3, 2}), {3, 2}, {0, 0, 1, 1, 2, 2});
  check_view(expand(column, {2, 3, 1}), {2, 3, 1}, {0, 1, 2, 0, 1, 2});
  CHECK(to_vector(expand(tensor(7), {2, 2})) == Values{7, 7, 7, 7});
  CHECK(expand(column, {3, 0}).numel() == 0);
  CHECK_THROWS_AS(expand(column, {2, 2}), ShapeError);
  CHECK_THROWS_AS(expand(column, {3}), ShapeError);
  CHECK_THROWS_AS(expand(ones({2}), {1}), ShapeError);
}

TEST_CASE("view: expand refuses sizes that cannot be") {
  const std::int64_t huge = std::int64_t{1} << 32;
  CHECK_THROWS_AS(expand(ones({1}), {-1}), ShapeError);
  CHECK_THROWS_AS(expand(ones({3}), {-1, 3}), ShapeError);
  CHECK_THROWS_AS(expand(ones({1, 1}), {huge, huge}), ShapeError);  // 2⁶⁴ elements would be counted as 0
}

TEST_CASE("view: select drops an axis") {
  check_view(select(viewed, 0, 1), {3, 4}, {12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23});
  check_view(select(viewed, 1, -1), {2, 4}, {8, 9, 10, 11, 20, 21, 22, 23});
  check_view(select(viewed, -1, 2), {2, 3}, {2, 6, 10, 14, 18, 22});
  check_view(select(select(select(viewed, 0, 1), 0, 1), 0, -4), {}, {16});
  CHECK_THROWS_AS(select(viewed, 0, 2), ValueError);
  CHECK_THROWS_AS(select(viewed, 0, -3), ValueError);
}

TEST_CASE("view: flip") {
  check_view(flip(select(viewed, 0, 0), 0), {3, 4}, {8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3});
  check_view(flip(select(viewed, 0, 0), -1), {3, 4}, {3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8});
  CHECK(to_vector(flip(flip(viewed, 1), 1)) == to_vector(viewed));
  check_view(slice(flip(flatten(viewed), 0), 0, 1, 9, 3), {3}, {22, 19, 16});
  check_view(select(flip(flatten(viewed), 0), 0, -1), {}, {0});
}

TEST_CASE("view: flatten merges neighbours") {
  CHECK(flatten(viewed).shape() == Shape{24});
  CHECK(flatten(viewed, 1).shape() == Shape{2, 12});
  CHECK(flatten(viewed, 0, 1).shape() == Shape{6, 4});
  CHECK(flatten(viewed, -2, -1).shape() == Shape{2, 12});
  CHECK(flatten(viewed, 1, 1).shape() == Shape{2, 3, 4});
  CHECK(flatten(tensor(3)).shape() == Shape{1});
  CHECK(to_vector(flatten(viewed, 1)) == to_vector(viewed));
  CHECK_THROWS_AS(flatten(viewed, 2, 1), ShapeError);
  CHECK_THROWS_AS(flatten(viewed, 0, 3), ShapeError);
}

TEST_CASE("view: repeat_interleave puts the copies of an element side by side") {
  const Tensor x = tensor({{1, 2}, {3, 4}});
  CHECK(to_vector(repeat_interleave(x, 2, 0)) == std::vector<double>{1, 2, 1, 2, 3, 4, 3, 4});
  CHECK(to_vector(repeat_interleave(x, 2, -1)) == std::vector<double>{1, 1, 2, 2, 3, 3, 4, 4});
  CHECK(repeat_interleave(x, 0, 1).shape() == Shape{2, 0});
  CHECK(repeat_interleave(zeros({0, 3}), 4, 0).shape() == Shape{0, 3});
  CHECK_THROWS_WITH(repeat_interleave(x, -1, 0), "repeat_interleave: the count -1 is negative");
  CHECK_THROWS_AS(repeat_interleave(x, 2, 2), ShapeError);
}

}  // namespace regard

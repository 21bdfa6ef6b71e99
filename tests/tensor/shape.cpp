#include "tensor/shape.h"

#include "tests/catch.h"

namespace regard {

TEST_CASE("shape: sizes, number of elements and text") {
  const Shape shape{2, 3, 4};
  CHECK(shape.rank() == 3);
  CHECK(shape.numel() == 24);
  CHECK(shape[0] == 2);
  CHECK(shape.back() == 4);
  CHECK(shape.back(2) == 3);
  CHECK(to_string(shape) == "(2, 3, 4)");
  CHECK(fmt::format("{}", shape) == "(2, 3, 4)");
}

TEST_CASE("shape: a single number has no axes and one element, an empty tensor has none") {
  CHECK(Shape{}.rank() == 0);
  CHECK(Shape{}.numel() == 1);
  CHECK(to_string(Shape{}) == "()");
  CHECK(Shape{2, 0, 3}.numel() == 0);
  CHECK(to_string(Shape{7}) == "(7)");
}

TEST_CASE("shape: equality looks at rank and sizes") {
  CHECK(Shape{2, 3} == Shape{2, 3});
  CHECK(Shape{2, 3} != Shape{3, 2});
  CHECK(Shape{2} != Shape{2, 1});
  CHECK(Shape{} != Shape{1});
}

TEST_CASE("shape: axes are added and removed anywhere") {
  Shape shape{2, 3};
  shape.push_back(4);
  shape.insert(0, 1);
  shape.insert(2, 9);
  CHECK(shape == Shape{1, 2, 9, 3, 4});
  CHECK(shape.without(2) == Shape{1, 2, 3, 4});
  CHECK(shape.without(0) == Shape{2, 9, 3, 4});
  CHECK(shape.without(-1) == Shape{1, 2, 9, 3});
  CHECK(shape.with(0, 5) == Shape{5, 2, 9, 3, 4});
  CHECK(shape.with(-2, 5) == Shape{1, 2, 9, 5, 4});
  CHECK(Shape::filled(3, 7) == Shape{7, 7, 7});
}

TEST_CASE("shape: there is a largest number of axes") {
  Shape shape = Shape::filled(Shape::max_rank, 1);
  CHECK(shape.rank() == Shape::max_rank);
  CHECK_THROWS_AS(shape.push_back(1), ShapeError);
  CHECK(shape == Shape::filled(Shape::max_rank, 1));
}

TEST_CASE("shape: row-major strides") {
  CHECK(contiguous_strides({2, 3, 4}) == Strides{12, 4, 1});
  CHECK(contiguous_strides({5}) == Strides{1});
  CHECK(contiguous_strides({}) == Strides{});
}

TEST_CASE("axis_of: axes may be counted from the end") {
  const Shape shape{2, 3, 4};
  for (int axis = 0; axis < 3; ++axis) {
    CHECK(axis_of("op", axis, shape) == axis);
    CHECK(axis_of("op", axis - 3, shape) == axis);
  }
  CHECK_THROWS_AS(axis_of("op", 3, shape), ShapeError);
  CHECK_THROWS_AS(axis_of("op", -4, shape), ShapeError);
  CHECK_THROWS_AS(axis_of("op", 0, Shape{}), ShapeError);
  CHECK_THROWS_AS(axis_of("op", -1, Shape{}), ShapeError);
}

TEST_CASE("broadcast: NumPy's rule, in either order") {
  struct Case {
    Shape a, b, result;
  };
  const Case cases[] = {
      {{}, {}, {}},
      {{}, {2, 3}, {2, 3}},
      {{3}, {2, 3}, {2, 3}},
      {{1}, {2, 3}, {2, 3}},
      {{2, 1}, {1, 3}, {2, 3}},
      {{2, 1}, {3}, {2, 3}},
      {{8, 1, 6, 1}, {7, 1, 5}, {8, 7, 6, 5}},
      {{0}, {1}, {0}},
      {{2, 0}, {1}, {2, 0}},
      {{1, 0}, {5, 1}, {5, 0}},
      {{1, 1}, {1}, {1, 1}},
  };
  for (const auto& [a, b, result] : cases) {
    CAPTURE(to_string(a), to_string(b));
    CHECK(broadcast("op", a, b) == result);
    CHECK(broadcast("op", b, a) == result);
  }
}

TEST_CASE("broadcast: sizes that differ must be 1, and 0 is not 1") {
  const std::pair<Shape, Shape> cases[] = {{{2}, {3}}, {{2, 3}, {2}}, {{0}, {2}}, {{2, 1, 3}, {4, 5, 4}}};
  for (const auto& [a, b] : cases) {
    CAPTURE(to_string(a), to_string(b));
    CHECK_THROWS_AS(broadcast("op", a, b), ShapeError);
    CHECK_THROWS_AS(broadcast("op", b, a), ShapeError);
  }
}

TEST_CASE("shape: from a vector") {
  CHECK(Shape(std::vector<std::int64_t>{2, 3}) == Shape{2, 3});
  CHECK(Shape(std::vector<std::int64_t>{}) == Shape{});
  CHECK_THROWS_AS(Shape(std::vector<std::int64_t>(7, 1)), ShapeError);
}

}  // namespace regard

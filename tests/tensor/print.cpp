#include "tensor/print.h"

#include "tensor/create.h"
#include "tensor/view.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>

namespace regard {

TEST_CASE("print: whole numbers have no decimals") {
  CHECK(to_string(tensor({1, 2, 3})) == "[1, 2, 3]");
  CHECK(to_string(tensor({1, -20, 3})) == "[  1, -20,   3]");
  CHECK(to_string(arange(3)) == "[0, 1, 2]");
}

TEST_CASE("print: decimals, as many as asked for, in columns") {
  CHECK(to_string(tensor({1.5, 2.25, -3})) == "[ 1.5000,  2.2500, -3.0000]");
  CHECK(to_string(tensor({1.5, 2.25, -3}), {.precision = 2}) == "[ 1.50,  2.25, -3.00]");
  CHECK(fmt::format("{:.1}", tensor({0.5, 10})) == "[ 0.5, 10.0]");
  CHECK(fmt::format("{:.0}", tensor({1.75, 3})) == "[2, 3]");
  CHECK(fmt::format("{}", tensor(0.5)) == "0.5000");
  CHECK(fmt::format("{:.12}", tensor(0.1, DType::f64)) == "0.100000000000");
}

TEST_CASE("print: matrices over lines, blocks with a blank line between") {
  CHECK(to_string(tensor({{1, 2}, {3, 4}})) == "[[1, 2],\n [3, 4]]");
  CHECK(to_string(tensor({{0.5, 10}, {-1, 2}})) == "[[ 0.5000, 10.0000],\n [-1.0000,  2.0000]]");
  CHECK(to_string(reshape(arange(8), {2, 2, 2})) == "[[[0, 1],\n  [2, 3]],\n\n [[4, 5],\n  [6, 7]]]");
  CHECK(to_string(transpose(tensor({{1, 2}, {3, 4}}))) == "[[1, 3],\n [2, 4]]");
}

TEST_CASE("print: a single number, nothing, and no value") {
  CHECK(to_string(tensor(3)) == "3");
  CHECK(to_string(tensor(-0.25)) == "-0.2500");
  CHECK(to_string(tensor({{7}})) == "[[7]]");
  CHECK(to_string(zeros({0})) == "[] of shape (0)");
  CHECK(to_string(zeros({2, 0, 3})) == "[] of shape (2, 0, 3)");
  CHECK(to_string(Tensor()) == "undefined");
}

TEST_CASE("print: NaN and infinity take their place in the columns") {
  CHECK(to_string(tensor({1, NAN, INFINITY, -INFINITY})) == "[   1,  nan,  inf, -inf]");
  CHECK(to_string(tensor({0.5, NAN})) == "[0.5000,    nan]");
  CHECK(to_string(tensor({NAN})) == "[nan]");
}

TEST_CASE("print: scientific where columns of digits would not do") {
  CHECK(to_string(tensor({1e10, 1}, DType::f64)) == "[1.0000e+10, 1.0000e+00]");
  CHECK(to_string(tensor({1e-7, 0.5}, DType::f64)) == "[1.0000e-07, 5.0000e-01]");
  CHECK(to_string(tensor({0, 2e-6}, DType::f64), {.precision = 1}) == "[0.0e+00, 2.0e-06]");
  CHECK(to_string(tensor({99999999, 1}, DType::f64)) == "[99999999,        1]");
  CHECK(to_string(tensor({0.0001, 0.5}, DType::f64)) == "[0.0001, 0.5000]");
}

TEST_CASE("print: i64 is never scientific, and its columns are as wide as its digits") {
  CHECK(to_string(tensor({100000000, 1}, DType::i64)) == "[100000000,         1]");
  CHECK(to_string(tensor({123456789012345, -1}, DType::i64)) == "[123456789012345,              -1]");
}

TEST_CASE("print: large tensors are shown in part") {
  CHECK(to_string(arange(1001)) == "[   0,    1,    2, …,  998,  999, 1000]");
  CHECK(to_string(arange(1000)).find("…") == std::string::npos);
  CHECK(to_string(arange(10), {.threshold = 5, .edge = 2}) == "[0, 1, …, 8, 9]");
  CHECK(to_string(arange(7), {.threshold = 5, .edge = 3}) == "[0, 1, 2, …, 4, 5, 6]");
  CHECK(to_string(arange(6), {.threshold = 5, .edge = 3}) == "[0, 1, 2, 3, 4, 5]");  // nothing is left to leave out
  CHECK(to_string(reshape(arange(25), {5, 5}), {.threshold = 5, .edge = 1}) == "[[ 0, …,  4],\n …,\n [20, …, 24]]");
}

TEST_CASE("print: what is not shown does not decide how the rest looks") {
  Tensor x = zeros({2000});
  x.writable<float>()[1000] = 0.123f;
  CHECK(to_string(x) == "[0, 0, 0, …, 0, 0, 0]");
}

TEST_CASE("print: long rows are broken before the line is full, and lose nothing") {
  const Tensor x = arange(100);
  for (int width = 20; width < 60; ++width) {
    const std::string wrapped = to_string(x, {.line_width = width});
    std::size_t longest = 0, begin = 0;
    for (std::size_t end; (end = wrapped.find('\n', begin)) != std::string::npos; begin = end + 1)
      longest = std::max(longest, end - begin);
    CAPTURE(width);
    CHECK(std::max(longest, wrapped.size() - begin) <= static_cast<std::size_t>(width));
    CHECK(longest + 4 > static_cast<std::size_t>(width));  // one more number of four characters would not fit
  }
  const std::string text = to_string(x, {.line_width = 40});
  std::string flat = text;
  std::erase(flat, '\n');
  std::erase(flat, ' ');
  std::string expected = "[0";
  for (int i = 1; i < 100; ++i) expected += fmt::format(",{}", i);
  CHECK(flat == expected + "]");
  CHECK(text.substr(0, 45) == "[ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,\n 10,");
}

}  // namespace regard

// What the pages of operations draw, at places where it is known.

#include "tests/catch.h"
#include "tests/operations/facts.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace regard::operation_facts {
namespace {

template <class T>
const T& of(const std::vector<T>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const T& one) { return name == one.of->op->name; });
  REQUIRE(found != all.end());
  return *found;
}

}  // namespace

TEST_CASE("operation facts: curves have the values and slopes of their functions") {
  const auto all = curves();
  const Curve &tanh = of(all, "tanh"), &square = of(all, "square"), &abs = of(all, "abs");
  const std::size_t middle = 200;  // of 401 places
  CHECK(tanh.x[middle] == Approx(0).margin(1e-12));
  CHECK(tanh.y[middle] == Approx(0).margin(1e-12));
  CHECK(tanh.slope[middle] == Approx(1));
  CHECK(square.x.back() == Approx(2));
  CHECK(square.y.back() == Approx(4));
  CHECK(square.slope.back() == Approx(4));
  CHECK(abs.slope.front() == -1);
  CHECK(abs.slope.back() == 1);
}

TEST_CASE("operation facts: influences are the matrices of derivatives") {
  const auto all = influences();
  // cumsum along the last axis of (2, 4): two triangles of ones
  const auto& cumsum = of(all, "cumsum").rows;
  REQUIRE(cumsum.size() == 8);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 8; ++j) CHECK(cumsum[i][j] == (j <= i && i / 4 == j / 4 ? 1 : 0));
  // flip of the first axis of (3, 2): rows change places
  const auto& flip = of(all, "flip").rows;
  REQUIRE(flip.size() == 6);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) CHECK(flip[i][j] == (j / 2 == 2 - i / 2 && j % 2 == i % 2 ? 1 : 0));
  // The mean of six: each counts a sixth.
  CHECK(of(all, "mean").rows == std::vector<std::vector<double>>{std::vector<double>(6, 1.0 / 6)});
}

TEST_CASE("operation facts: speed is measured with large inputs that name all of their places") {
  // The largest whole number that an operation is given: the last of a thousand places, or what a mask says.
  const std::map<std::string, double> largest = {{"gather", 999}, {"scatter_add", 999}, {"cross_entropy", 999},
                                                 {"where", 1},    {"masked_fill", 1},   {"masked_softmax", 2}};
  for (const Enlarged& one : enlarged()) {
    INFO(one.id);
    const cases::Case& row = case_named(one.id);
    const std::vector<Shape> shapes = larger_shapes(one);
    REQUIRE(shapes.size() == row.specs.size());
    const auto is_whole = [](const cases::InputSpec& spec) { return !is_float(spec.dtype); };
    if (std::none_of(row.specs.begin(), row.specs.end(), is_whole)) continue;  // a million numbers take a while to draw
    const std::vector<Variable> inputs = larger_inputs(one);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      CHECK(inputs[i].shape() == shapes[i]);
      CHECK(inputs[i].requires_grad() != is_whole(row.specs[i]));
      if (!is_whole(row.specs[i])) continue;
      REQUIRE(largest.contains(row.op->name));
      const double found = max(inputs[i].value()).item(), possible = largest.at(row.op->name);
      CHECK(found <= possible);
      CHECK(found >= 0.98 * possible);
      // A mask of masked_softmax has the dtype of x: to convert it is not what is timed.
      CHECK(inputs[i].dtype() == (row.op->name == std::string("masked_softmax") ? DType::f32 : DType::i64));
    }
  }
}

}  // namespace regard::operation_facts

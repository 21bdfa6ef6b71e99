#include "tests/cases/case.h"
#include "tests/catch.h"

#include <cmath>

using namespace regard;

namespace {

std::vector<Variable> leaves_in(DType dtype, const std::vector<Variable>& inputs) {
  std::vector<Variable> leaves;
  for (const Variable& x : inputs) leaves.push_back(is_float(x.dtype()) ? parameter(to(x.value(), dtype)) : x);
  return leaves;
}

// The result and then the gradients of its sum of squares.
std::vector<Tensor> run(const cases::Case& row, DType dtype) {
  const auto leaves = leaves_in(dtype, row.inputs);
  const Variable y = row.f(leaves);
  std::vector<Tensor> results{y.value()};
  if (!y.requires_grad()) return results;
  sum(square(y)).backward();
  for (const Variable& leaf : leaves)
    if (leaf.requires_grad()) results.push_back(leaf.gradient().value());
  return results;
}

}  // namespace

// The gradient checks only ever see f64. This is what says that the f32 loops compute the same.
TEST_CASE("f32 computes what f64 does, up to its own rounding") {
  for (const cases::Case& row : cases::all_cases()) {
    if (std::string(row.op->name) == "to") continue;  // converts to f64 whatever comes in
    INFO(row.id);
    const auto narrow = run(row, DType::f32), wide = run(row, DType::f64);
    REQUIRE(narrow.size() == wide.size());
    for (std::size_t i = 0; i < wide.size(); ++i) {
      if (wide[i].dtype() == DType::f64) CHECK(narrow[i].dtype() == DType::f32);
      const double size = wide[i].numel() ? max(abs(to(wide[i], DType::f64))).item() : 0;
      CHECK(largest_difference(to(narrow[i], DType::f64), to(wide[i], DType::f64)) <= 4e-6 * std::max(size, 1.0));
    }
  }
}

#include "tests/cases/case.h"
#include "tests/catch.h"

using namespace regard;

// A checker that passes everything would pass the suite. So for every case and every input of it a gradient of zero and
// a gradient that is 1 % too large are planted, at first order and then at second order only. Each must be noticed.
TEST_CASE("wrong gradients are noticed in every case, at both orders") {
  for (const cases::Case& row : cases::differentiable_cases()) {
    INFO(row.id);
    CHECK(power_check(row.f, row.inputs) == std::vector<std::string>{});
  }
}

TEST_CASE("the power check itself reports what goes unnoticed") {
  // The first input has no influence, so nothing that is done to its gradient can show.
  const gradchecks::Function ignores_first = [](const std::vector<Variable>& in) { return 0.0 * in[0] + in[1]; };
  const std::vector<Variable> inputs{tensor({1, 2}, DType::f64), tensor({3, 4}, DType::f64)};
  const std::vector<std::string> expected{"input 0: a gradient of order 1 multiplied by 0",
                                          "input 0: a gradient of order 1 multiplied by 1.01"};
  CHECK(power_check(ignores_first, inputs, {.order = 1}) == expected);
}

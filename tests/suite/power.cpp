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

#include "autograd/gradcheck/slopes.h"
#include "tests/cases/case.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace regard;

namespace {

void check_all(const GradcheckOptions& options) {
  for (const cases::Case& row : cases::differentiable_cases()) {
    const GradcheckReport report = gradcheck(row.f, row.inputs, options);
    INFO(row.id << "  " << to_string(report));
    CHECK(report.verdict == gradchecks::Verdict::pass);
    CHECK(report.order == 2);  // smooth or not: away from kinks there is a second order
    CHECK(report.element_count > 0);
  }
}

}  // namespace

TEST_CASE("every case passes to second order") { check_all({}); }

TEST_CASE("every case passes with another cotangent, and when all are strided views with NaN in between") {
  check_all({.seed = 1, .layout = gradchecks::Layout::strided});
}

TEST_CASE("cotangents have both signs, and none is small") {
  Generator generator(1);
  const std::vector<double> values = to_vector(gradchecks::random_cotangent({1000}, generator));
  for (const double value : values) {
    CHECK(std::abs(value) >= 0.5);
    CHECK(std::abs(value) <= 1.5);
  }
  const auto negative = std::count_if(values.begin(), values.end(), [](double value) { return value < 0; });
  CHECK(negative > 400);
  CHECK(negative < 600);
}

#include "tests/cases/case.h"
#include "tests/catch.h"

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

TEST_CASE("every case passes when inputs and cotangents are strided views with NaN in between") {
  check_all({.layout = gradchecks::Layout::strided});
}

TEST_CASE("no verdict hangs on the cotangent that was drawn") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) check_all({.seed = seed});
}

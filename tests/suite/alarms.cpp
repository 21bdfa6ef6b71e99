#include "tests/cases/case.h"
#include "tests/catch.h"

using namespace regard;

// A checker that called right operations wrong would soon be ignored. `gradcheck --alarms 1000` draws far more.
TEST_CASE("no case fails on inputs that are drawn anew, small or large") {
  for (const cases::Case& row : cases::differentiable_cases())
    for (const double stretch : {0.1, 3.0}) {
      const GradcheckReport report = gradcheck(row.f, cases::drawn_again(row, 1, stretch));
      INFO(row.id << ", stretched " << stretch << " times: " << to_string(report));
      CHECK(report.verdict != gradchecks::Verdict::fail);
    }
}

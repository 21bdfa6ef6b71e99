#include "autograd/gradcheck/bisect/bisect.h"
#include "autograd/gradcheck/bisect/shrink.h"
#include "tests/gradcheck/table.h"

namespace regard::gradcheck_table {

using cases::Case;

int print_bisect(const std::vector<Case>& rows) {
  int wrong = 0;
  for (const Case& row : rows) {
    const BisectReport report = bisect(row.f, row.inputs);
    fmt::print("{}: {}\n", row.id, report);
    wrong += !report.all_agree();
  }
  return wrong ? 1 : 0;
}

int print_shrunk(const std::vector<Case>& rows, const GradcheckOptions& options) {
  int failed = 0;
  for (const Case& row : rows) {
    if (gradcheck(row.f, row.inputs, options).verdict != gradchecks::Verdict::fail) continue;
    fmt::print("{}: {}\n", row.id, to_string(shrink(row.f, row.inputs, options)));
    ++failed;
  }
  if (failed == 0) fmt::print("none of {} cases fails: there is nothing to shrink\n", rows.size());
  return failed ? 1 : 0;
}

}  // namespace regard::gradcheck_table

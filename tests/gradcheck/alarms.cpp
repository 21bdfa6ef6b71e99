#include "tests/gradcheck/table.h"

#include <unistd.h>

#include <algorithm>

namespace regard::gradcheck_table {
namespace {

using cases::Case;
using gradchecks::Verdict;

struct Counts {
  int checked = 0, failed = 0, kinked = 0, vacuous = 0;
  std::string example;
};

// Where the function overflows there is nothing to compare.
bool is_finite_at(const Case& row, const std::vector<Variable>& inputs) {
  std::vector<Variable> leaves;
  for (const Variable& x : inputs) leaves.push_back(is_float(x.dtype()) ? parameter(x.value()) : x);
  const Variable y = row.f(leaves);
  if (!all_finite(y.value())) return false;
  std::erase_if(leaves, [](const Variable& x) { return !x.requires_grad(); });
  const std::vector<Variable> gradients = grad({sum(y)}, leaves, {.allow_unused = true});
  return std::ranges::all_of(gradients, [](const Variable& g) { return all_finite(g.value()); });
}

void check_once(const Case& row, std::uint64_t seed, double stretch, const GradcheckOptions& options, Counts& counts) {
  const std::vector<Variable> inputs = cases::drawn_again(row, seed, stretch);
  if (!is_finite_at(row, inputs)) return;
  GradcheckOptions with_seed = options;
  with_seed.seed = seed;
  const GradcheckReport report = gradcheck(row.f, inputs, with_seed);
  ++counts.checked;
  counts.failed += report.verdict == Verdict::fail;
  counts.kinked += report.verdict == Verdict::kink;
  counts.vacuous += report.verdict == Verdict::vacuous;
  if (report.verdict == Verdict::fail && counts.example.empty())
    counts.example = fmt::format("{}, draw {}, stretched {} times: {}", row.id, seed, stretch, report.reason);
}

}  // namespace

int print_alarms(const std::vector<Case>& rows, int draws, const GradcheckOptions& options) {
  constexpr double stretches[] = {0.1, 1, 3, 10};
  fmt::print("{} draws of the inputs of {} cases, each stretched 0.1, 1, 3 and 10 times\n", draws, rows.size());
  Counts all[std::size(stretches)];
  std::size_t done = 0;
  for (const Case& row : rows) {
    for (std::size_t n = 0; n < std::size(stretches); ++n)
      for (int seed = 1; seed <= draws; ++seed)
        check_once(row, static_cast<std::uint64_t>(seed), stretches[n], options, all[n]);
    if (::isatty(STDERR_FILENO)) fmt::print(stderr, "\r{} of {} cases ", ++done, rows.size());
  }
  if (done) fmt::print(stderr, "\n");
  int failed = 0;
  fmt::print("{:>10} {:>10} {:>14} {:>10} {:>18}\n", "stretched", "checks", "false alarms", "kinks", "nothing told");
  for (std::size_t n = 0; n < std::size(stretches); ++n) {
    const Counts& one = all[n];
    fmt::print("{:>10} {:>10} {:>14} {:>10} {:>18}\n", stretches[n], one.checked, one.failed, one.kinked, one.vacuous);
    if (!one.example.empty()) fmt::print("  {}\n", one.example);
    failed += one.failed;
  }
  return failed ? 1 : 0;
}

}  // namespace regard::gradcheck_table

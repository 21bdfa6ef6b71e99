#include "tests/gradcheck/table.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <future>
#include <thread>

namespace regard::gradcheck_table {
namespace {

using cases::Case;
using gradchecks::Verdict;

struct Counts {
  int checked = 0, failed = 0, kinked = 0, false_kinks = 0, vacuous = 0;
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
  const bool is_failed = report.verdict == Verdict::fail, is_kinked = report.verdict == Verdict::kink;
  counts.failed += is_failed;
  counts.kinked += is_kinked && row.has_kinks;
  counts.false_kinks += is_kinked && !row.has_kinks;
  counts.vacuous += report.verdict == Verdict::vacuous;
  if (is_failed || (is_kinked && !row.has_kinks))  // told at once: the rest may take an hour
    fmt::print("{}, draw {}, stretched {} times: {}\n", row.id, seed, stretch, report.reason);
  std::fflush(stdout);
}

constexpr double stretches[] = {0.1, 1, 3, 10};
using Row = std::array<Counts, std::size(stretches)>;  // of one case

Row check_case(const Case& row, int draws, const GradcheckOptions& options) {
  Row counts;
  for (std::size_t n = 0; n < counts.size(); ++n)
    for (int seed = 1; seed <= draws; ++seed)
      check_once(row, static_cast<std::uint64_t>(seed), stretches[n], options, counts[n]);
  return counts;
}

// On all cores: each takes the next case when it is done with one.
std::vector<Row> check_cases(const std::vector<Case>& rows, int draws, const GradcheckOptions& options) {
  std::vector<Row> each(rows.size());
  std::atomic<std::size_t> next = 0, done = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < rows.size();) {
      each[i] = check_case(rows[i], draws, options);
      const std::size_t count = ++done;
      if (::isatty(STDERR_FILENO)) fmt::print(stderr, "\r{} of {} cases ", count, rows.size());
    }
  };
  std::vector<std::future<void>> others;
  for (unsigned n = 1; n < std::thread::hardware_concurrency(); ++n)
    others.push_back(std::async(std::launch::async, work));
  work();
  for (std::future<void>& other : others) other.get();
  if (::isatty(STDERR_FILENO)) fmt::print(stderr, "\n");
  return each;
}

void add(Counts& all, const Counts& more) {
  all.checked += more.checked;
  all.failed += more.failed;
  all.kinked += more.kinked;
  all.false_kinks += more.false_kinks;
  all.vacuous += more.vacuous;
}

}  // namespace

int print_alarms(const std::vector<Case>& rows, int draws, const GradcheckOptions& options) {
  fmt::print("{} draws of the inputs of {} cases, each stretched 0.1, 1, 3 and 10 times\n", draws, rows.size());
  Row all;
  for (const Row& row : check_cases(rows, draws, options))
    for (std::size_t n = 0; n < all.size(); ++n) add(all[n], row[n]);
  bool is_right = true;
  fmt::print("{:>10} {:>10} {:>14} {:>10} {:>14} {:>18}\n", "stretched", "checks", "false alarms", "kinks",
             "false kinks", "nothing told");
  for (std::size_t n = 0; n < std::size(stretches); ++n) {
    const Counts& one = all[n];
    fmt::print("{:>10} {:>10} {:>14} {:>10} {:>14} {:>18}\n", stretches[n], one.checked, one.failed, one.kinked,
               one.false_kinks, one.vacuous);
    is_right = is_right && one.checked > 0 && one.failed == 0 && one.false_kinks == 0;
  }
  return is_right ? 0 : 1;
}

}  // namespace regard::gradcheck_table

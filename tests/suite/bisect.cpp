// The search for a wrong rule, on every case: right rules are left alone, and wrong ones are found wherever they are.

#include "autograd/gradcheck/bisect/bisect.h"

#include "tests/cases/case.h"
#include "tests/catch.h"

#include <cmath>
#include <string>
#include <utility>

using namespace regard;

namespace {

// The same operation, whose gradients are wrong by a factor.
Variable with_factor(const Variable& y, double factor) {
  const graph::Node& node = *y.node();
  return record(node.op, node.inputs, y.value(), [right = node.rule, factor](const Variable& grad, const Saved& saved) {
    graph::Gradients gradients = right(grad, saved);
    for (Variable& gradient : gradients)
      if (gradient.defined()) gradient = factor * gradient;
    return gradients;
  });
}

}  // namespace

TEST_CASE("bisect: the rules of every case agree") {
  for (const cases::Case& row : cases::differentiable_cases()) {
    const BisectReport report = bisect(row.f, row.inputs);
    INFO(row.id << ": " << to_string(report));
    CHECK(report.all_agree());
    CHECK(report.not_judged.empty());
  }
}

// The last operation of each case gets gradients that are three times as large as they should be: fused ones, too.
TEST_CASE("bisect: a factor in the last rule of every case is found and named") {
  for (const cases::Case& row : cases::differentiable_cases()) {
    const BisectReport report = bisect([&](const cases::In& in) { return with_factor(row.f(in), 3); }, row.inputs);
    INFO(row.id << ": " << to_string(report));
    REQUIRE(report.wrong.size() == 1);
    for (const bisecting::WrongGradient& one : report.wrong[0].gradients)
      CHECK(one.mistake.starts_with("it is the right one times 3"));
  }
}

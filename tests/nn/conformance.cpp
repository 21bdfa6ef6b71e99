// Every variant obeys the laws of the kit, and the kit rejects what is wrong. The program build/tests/conformance
// prints the tables.
#include "autograd/all.h"
#include "nn/kit/trial.h"
#include "tests/catch.h"
#include "tests/variants/variants.h"

#include <algorithm>
#include <set>

namespace regard::nn::kit {
namespace {

// Two parameters that stretch the features. A part of the second one's gradient is cut off, and no value shows it.
struct HalfDetached {
  Variable right = parameter(full({4}, 0.5)), wrong = parameter(full({4}, 0.5));

  void visit(Visitor& v) { v("right", right), v("wrong", wrong); }
  Variable operator()(const Variable& q, const Variable& k) const {
    return matmul(q * right, transpose(k * (wrong * 0.5 + detach(wrong) * 0.5)));
  }
};

}  // namespace

TEST_CASE("conformance: every variant obeys every law that it does not waive") {
  for (const Variant& variant : variants()) {
    const Report report = examine(variant);
    INFO(report.to_string());
    CHECK(report.passed());
    CHECK(variant.formula);
  }
}

// The kit waives this law where a score brings no fused form; so a form that got lost would not be missed there.
TEST_CASE("conformance: all variants run without the matrix of all pairs, but for those that have no such form") {
  std::set<std::string> without;
  for (const Variant& variant : variants()) {
    Generator generator(1);
    if (!variant.build(0, generator).can_be_fused) without.insert(variant.name);
  }
  CHECK(without == std::set<std::string>{"boxcar", "triangular", "Epanechnikov", "talking heads", "ReLU", "sigmoid",
                                         "linear", "softpick", "retention", "stick-breaking"});
}

TEST_CASE("conformance: every planted mistake is rejected, by the law that it breaks") {
  for (const auto& [variant, law] : planted()) {
    const std::vector<Law> broken = examine(variant).broken();
    INFO(variant.name << " should break: " << info(law).name);
    CHECK(std::find(broken.begin(), broken.end(), law) != broken.end());
  }
}

TEST_CASE("conformance: there is a planted mistake for each law") {
  std::set<Law> planted_in;
  for (const Planted& one : planted()) planted_in.insert(one.law);
  CHECK(planted_in.size() == laws().size());
}

TEST_CASE("conformance: a gradient that is wrong is one finding, which names the parameter") {
  const Report report = examine(variant("half", [](Generator&) { return HalfDetached{}; }));
  INFO(report.to_string());
  CHECK(report.broken() == std::vector<Law>{Law::gradcheck, Law::second_order});
  CHECK_THAT(report.findings[0].reason, Catch::Matchers::StartsWith("order 1, score.wrong element "));
  CHECK(report.findings[1].reason == "the same as in “gradcheck”");
}

TEST_CASE("conformance: a waiver that is not needed is refused") {
  Variant row = variants().front();
  row.waived[Law::batch] = row.waived[Law::causal] = "no reason";
  const Report report = examine(row);
  CHECK(report.broken() == std::vector<Law>{Law::batch, Law::causal});
  for (const Finding& finding : report.findings)
    if (finding.outcome == Outcome::broken) CHECK(finding.reason == "it holds: the waiver is not needed");
}

TEST_CASE("conformance: what is not the same to the last bit is told with how large the difference is") {
  for (const auto& [variant, law] : planted())
    if (law == Law::rows_alike || law == Law::front)
      CHECK_THAT(examine(variant).to_string(), Catch::Matchers::ContainsSubstring(" to the last bit: off by "));
}

TEST_CASE("conformance: inputs have an axis of heads where the sizes have heads, also of one") {
  CHECK(trial({.batch = 2, .heads = 0, .queries = 3}).q.shape() == Shape{2, 3, 4});
  CHECK(trial({.batch = 2, .heads = 1, .queries = 3}).q.shape() == Shape{2, 1, 3, 4});
}

TEST_CASE("conformance: the table has a column for each law, a row for each variant, and the reasons below") {
  const auto finding = [](std::size_t law, Outcome outcome, const char* reason) {
    return Finding{laws()[law].law, outcome, reason};
  };
  const std::string told =
      table({{"a", {finding(0, Outcome::holds, ""), finding(1, Outcome::waived, "no second order")}},
             {"two é", {finding(0, Outcome::broken, "it is wrong"), finding(1, Outcome::holds, "")}}});
  CHECK(told.starts_with("✓ holds   – waived, with a reason   ✗ broken\n\n 1 gradcheck     "));
  CHECK(std::ranges::count(told, '\n') == static_cast<std::ptrdiff_t>(2 + laws().size() + 2 + 2 + 1 + 2));
  CHECK_THAT(told, Catch::Matchers::ContainsSubstring("\n        1  2  3  4"));
  CHECK_THAT(told, Catch::Matchers::EndsWith("\n"
                                             "a       ✓  –\n"
                                             "two é   ✗  ✓\n"
                                             "\n"
                                             "– a, second order: no second order\n"
                                             "✗ two é, gradcheck: it is wrong\n"));
}

}  // namespace regard::nn::kit

// Every variant obeys the laws of the kit, and the kit rejects what is wrong. The program build/tests/conformance
// prints the tables.
#include "tests/catch.h"
#include "tests/variants/variants.h"

#include <algorithm>
#include <set>

namespace regard::nn::kit {

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
    if (!variant.build(0, generator).fused) without.insert(variant.name);
  }
  CHECK(without ==
        std::set<std::string>{"boxcar", "triangular", "Epanechnikov", "talking heads", "ReLU", "sigmoid", "linear"});
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

TEST_CASE("conformance: a waiver that is not needed is refused") {
  Variant row = variants().front();
  row.waived[Law::causal] = "no reason";
  CHECK(examine(row).broken() == std::vector<Law>{Law::causal});
}

}  // namespace regard::nn::kit

// Every variant obeys the laws of the kit, and the kit rejects what is wrong.
#include "tests/catch.h"
#include "tests/variants/variants.h"

namespace regard::nn {

TEST_CASE("conformance: every variant obeys every law that it does not waive") {
  std::vector<Report> reports;
  for (const Variant& variant : variants()) {
    reports.push_back(examine(variant));
    INFO(to_string(reports.back()));
    CHECK(reports.back().passed());
  }
  fmt::print("{}", table(reports));
}

}  // namespace regard::nn

#include "examples/trainers/verdict.h"
#include "examples/trainers/terminal.h"
#include "tests/catch.h"

#include <sstream>

using namespace regard;

namespace {
const std::vector<Measure> measures{{"error", "≤ 0.1", 0.012345, true},
                                    {"accuracy on examples never seen", "≥ 0.99", 0.5, false}};
}

TEST_CASE("verdict: a table, where there is room for it") {
  const std::string table =
      "measure                             value  to pass\n"
      "error                             0.01235  ≤ 0.1    pass\n"
      "accuracy on examples never seen       0.5  ≥ 0.99   FAIL\n";
  CHECK(table_of(measures, 0) == table);
  CHECK(table_of(measures, 56) == table);
}

TEST_CASE("verdict: in a narrow window names have lines of their own") {
  CHECK(table_of(measures, 55) ==
        "measure\n"
        "     value  to pass\n"
        "error\n"
        "   0.01235  ≤ 0.1    pass\n"
        "accuracy on examples never seen\n"
        "       0.5  ≥ 0.99   FAIL\n");
  CHECK(table_of(measures, 25) ==
        "measure\n"
        "     value  to pass\n"
        "error\n"
        "   0.01235  ≤ 0.1    pass\n"
        "accuracy on examples\n"
        "never seen\n"
        "       0.5  ≥ 0.99   FAIL\n");
}

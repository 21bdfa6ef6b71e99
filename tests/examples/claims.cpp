#include "examples/trainers/claims.h"
#include "tests/catch.h"

using namespace regard;

TEST_CASE("told: only what is so") {
  CHECK(told({{true, "One."}, {false, "Two."}, {true, "Three."}}) == "One. Three.");
  CHECK(told({{false, "One."}, {true, "Two."}}) == "Two.");
  CHECK(told({{false, "One."}}).empty());
}

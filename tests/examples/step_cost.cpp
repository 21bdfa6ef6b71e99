#include "examples/trainers/step_cost.h"

#include "tests/catch.h"

using namespace regard;

TEST_CASE("A step costs what its parts cost") {
  const StepWork work{.micro_batch = 0.1, .update = 0.02, .micro_batches = 8, .bytes = 1e6, .buckets = 3};
  const Network network{"a network", 1e-3, 1e8};
  CHECK(step_seconds(work, network, 1) == Approx(8 * 0.1 + 0.02));
  CHECK(step_seconds(work, network, 2) == Approx(4 * 0.1 + 0.02 + 2 * 3 * 1e-3 + 0.01));      // 2·½·10⁶/10⁸
  CHECK(step_seconds(work, network, 3) == Approx(3 * 0.1 + 0.02 + 4 * 3 * 1e-3 + 0.04 / 3));  // one rank has 3 of the 8
  CHECK(step_seconds(work, network, 8) == Approx(0.1 + 0.02 + 14 * 3 * 1e-3 + 0.0175));
  CHECK(step_seconds(work, network, 8, 4) == Approx(4 * 0.12 + 14 * 3 * 1e-3 + 0.0175));
}

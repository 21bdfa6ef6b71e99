// Numbers with fewer digits than others are 0 while a guard lives, on all threads, and as before afterwards.
#include "tensor/threads/flush.h"
#include "tensor/all.h"
#include "tests/catch.h"

namespace regard {

TEST_CASE("flush: subnormal numbers are 0 while the guard lives, whoever computes") {
  const int before = thread_count();
  set_thread_count(2);
  const Tensor x = full({100'000}, 1e-30), factor = full({100'000}, 1e-10);
  const auto zeros_in_product = [&] { return sum(equal(multiply(x, factor), 0.0)).item(); };
  CHECK(zeros_in_product() == 0);
  {
    const FlushSubnormals guard;
    CHECK(flush_mode() != 0);
    CHECK(zeros_in_product() == 100'000);
    { const FlushSubnormals inner; }
    CHECK(zeros_in_product() == 100'000);
  }
  CHECK(flush_mode() == 0);
  CHECK(zeros_in_product() == 0);
  set_thread_count(before);
}

}  // namespace regard

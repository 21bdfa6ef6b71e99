// What the caption about time and memory by length says, for numbers of which it is so and for others.
#include "examples/trainers/length_claims.h"

#include "tests/catch.h"

#include <string>
#include <vector>

using namespace regard::length_cost;
using Catch::Matchers::ContainsSubstring;

namespace {

Costs with_memory(const std::vector<double>& composed, const std::vector<double>& fused) {
  return {.composed_step = {.lengths = {128, 256}, .bytes = composed},
          .fused_step = {.lengths = {128, 256, 512}, .bytes = fused}};
}
Costs with_times(const std::vector<double>& composed, const std::vector<double>& fused) {
  return {.composed_step = {.lengths = {128, 256}, .milliseconds = composed},
          .fused_step = {.lengths = {128, 256, 512}, .milliseconds = fused}};
}

}  // namespace

TEST_CASE("length claims: the power of a curve is that of its last doubling") {
  CHECK(last_power({5, 3, 12}) == Approx(2));
  CHECK(last_power({3, 6}) == Approx(1));
  CHECK(last_power({7, 7}) == Approx(0));
}

TEST_CASE("length claims: memory is compared at the last length of both, and its growth in the last doubling") {
  const std::string is_so = about_memory(with_memory({8e6, 32e6}, {1e6, 2e6, 4e6}));
  CHECK_THAT(is_so, ContainsSubstring("At n = 256 a step holds 32 MB composed and 2 MB fused: 16 times less."));
  CHECK_THAT(is_so, ContainsSubstring("composed") && ContainsSubstring("grows with n²; that of fused attention grows"));
  CHECK_THAT(is_so, !ContainsSubstring("In the last doubling"));

  const std::string no_less = about_memory(with_memory({1e6, 4e6}, {1e6, 3e6, 12e6}));
  CHECK_THAT(no_less, ContainsSubstring("holds 4 MB composed and 3 MB fused.") && !ContainsSubstring("less"));
  CHECK_THAT(no_less, ContainsSubstring("In the last doubling composed memory grows with n to the power 2.00, and "
                                        "fused memory grows with n to the power 2.00."));
  CHECK_THAT(no_less, !ContainsSubstring("grows with n²"));
  CHECK_THAT(about_memory(with_memory({4e6, 8e6}, {1e6, 2e6, 4e6})), !ContainsSubstring("grows with n²"));
}

TEST_CASE("length claims: both times are said to grow with n² only if both do") {
  CHECK_THAT(about_times(with_times({1, 4}, {1, 2, 8})), ContainsSubstring("Both times grow with about n²"));
  for (const Costs& costs : {with_times({1, 2}, {1, 2, 8}), with_times({1, 4}, {1, 2, 4})})
    CHECK_THAT(about_times(costs), ContainsSubstring("In the last doubling") && !ContainsSubstring("n²"));
}

TEST_CASE("length claims: who is faster") {
  CHECK_THAT(about_times(with_times({1, 4}, {1, 2, 8})),
             ContainsSubstring("At n = 256 a fused step is 2.0 times as fast"));
  CHECK_THAT(about_times(with_times({1, 4}, {1, 8, 32})), ContainsSubstring("a fused step takes 2.0 times as long"));
  for (const double fused : {3.7, 4.0, 4.3})
    CHECK_THAT(about_times(with_times({1, 4}, {1, fused, 16})),
               ContainsSubstring("At n = 256 both take about as long.") && !ContainsSubstring("fused step"));
}

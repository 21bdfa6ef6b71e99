// What the caption about time and memory by length says, for numbers of which it is so and for others.
#include "examples/trainers/length_claims.h"

#include "tests/catch.h"

#include <string>
#include <vector>

namespace regard::length_cost {

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
  CHECK_THAT(is_so, ContainsSubstring("At n = 256 a step holds 32 MB if composed, and 2 MB if fused: 16 times less."));
  CHECK_THAT(is_so, ContainsSubstring("grows with n², and that of fused attention with n."));
  CHECK_THAT(is_so, !ContainsSubstring("In the last doubling") && !ContainsSubstring("faster"));
  CHECK_THAT(about_memory(with_memory({300e6, 1200e6}, {1e6, 2e6, 4e6})), ContainsSubstring("holds 1200 MB"));

  const std::string no_less = about_memory(with_memory({1e6, 4e6}, {1e6, 3e6, 12e6}));
  CHECK_THAT(no_less, ContainsSubstring("4 MB if composed, and 3 MB if fused.") && !ContainsSubstring("less"));
  CHECK_THAT(no_less, ContainsSubstring("In the last doubling of n memory grows with its power 2.00 if composed, and "
                                        "2.00 if fused."));
  CHECK_THAT(no_less, !ContainsSubstring("n²"));
  CHECK_THAT(about_memory(with_memory({4e6, 8e6}, {1e6, 2e6, 4e6})), !ContainsSubstring("n²"));
}

TEST_CASE("length claims: in short texts fused attention may hold more") {
  CHECK_THAT(about_memory(with_memory({1e6, 4e6}, {2e6, 3e6, 6e6})),
             ContainsSubstring("Up to n = 128 the fused step holds more"));
  CHECK_THAT(about_memory(with_memory({1e6, 4e6}, {1e6, 2e6, 4e6})), !ContainsSubstring("Up to"));
  CHECK_THAT(about_memory(with_memory({1e6, 4e6}, {2e6, 5e6, 10e6})), !ContainsSubstring("Up to"));  // everywhere
}

TEST_CASE("length claims: where memory more than doubles on the way to growing with n") {
  CHECK_THAT(about_memory(with_memory({8e6, 32e6}, {1e6, 3e6, 6e6})),
             ContainsSubstring("Between n = 128 and 256 that of the fused step"));
  CHECK_THAT(about_memory(with_memory({8e6, 32e6}, {1e6, 2e6, 4e6})), !ContainsSubstring("Between"));
}

TEST_CASE("length claims: both times are said to grow with n² only if both do") {
  CHECK_THAT(about_times(with_times({1, 4}, {1, 2, 8})),
             ContainsSubstring("Both times grow with about n²") && !ContainsSubstring("In the last doubling"));
  for (const Costs& costs : {with_times({1, 2}, {1, 2, 8}), with_times({1, 4}, {1, 2, 4})})
    CHECK_THAT(about_times(costs), ContainsSubstring("In the last doubling") && !ContainsSubstring("n²"));
}

TEST_CASE("length claims: who is faster") {
  CHECK_THAT(about_times(with_times({1, 4}, {1, 2, 8})),
             ContainsSubstring("At n = 256 a fused step is 2.0 times as fast") && !ContainsSubstring("about as long"));
  CHECK_THAT(about_times(with_times({1, 4}, {1, 8, 32})),
             ContainsSubstring("a fused step takes 2.0 times as long") && !ContainsSubstring("about as long"));
  for (const double fused : {3.7, 4.0, 4.3})
    CHECK_THAT(about_times(with_times({1, 4}, {1, fused, 16})),
               ContainsSubstring("At n = 256 both take about as long.") && !ContainsSubstring("fused step"));
}

}  // namespace regard::length_cost

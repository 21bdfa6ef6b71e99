#include "examples/exercises/exercise.h"
#include "tensor/create.h"
#include "tests/catch.h"

#include <cmath>
#include <functional>
#include <string>

using namespace regard;
using exercises::expect;
using exercises::expect_typed;
using exercises::outcome_of;

namespace {

bool right(const std::function<void()>& checks) { return outcome_of(checks).right; }
std::string said(const std::function<void()>& checks) { return outcome_of(checks).text; }

Tensor row(const Nested& numbers) { return tensor(numbers, DType::f64); }

bool accepts(double typed, double expected) {
  return right([&] { expect_typed("it", typed, expected); });
}

}  // namespace

TEST_CASE("expect: the first number that differs is told, if infinities and NaN are expected, too") {
  const double none = -INFINITY;
  const auto compared = [&](const Nested& got, const Nested& expected) {
    return said([&] { expect("it", row(got), row(expected)); });
  };
  CHECK(compared({1, 5, 4}, {1, none, 4}).ends_with("→ Number 1 is the first that differs: 5, but -inf was expected."));
  CHECK(compared({none, none, 4}, {none, 2, 4})
            .ends_with("→ Number 1 is the first that differs: -inf, but 2 was expected."));
  CHECK(compared({INFINITY}, {none}).ends_with("→ Number 0 is the first that differs: inf, but -inf was expected."));
  CHECK(compared({1, NAN}, {1, 2}).ends_with("→ Number 1 is not a number (0/0, or ∞ − ∞)."));
  CHECK(compared({NAN, 3}, {NAN, 2}).ends_with("→ Number 1 is the first that differs: 3, but 2 was expected."));
  CHECK(compared({1, none, NAN}, {1, none, NAN}) == "✓ right");
}

TEST_CASE("expect: a number is compared as the numbers of a tensor are") {
  CHECK(right([] { expect("it", 1 + 1e-6, 1.0); }));
  CHECK_FALSE(right([] { expect("it", 1 + 3e-6, 1.0); }));
  CHECK_FALSE(right([] { expect("it", 5.0, -INFINITY); }));
  CHECK(right([] { expect("it", -INFINITY, -INFINITY); }));
}

TEST_CASE("expect_typed: four digits are enough") {
  CHECK(accepts(2.667, 8 / 3.0));
  CHECK(accepts(2.6667, 8 / 3.0));
  CHECK(accepts(-16.29, -23.04 / std::sqrt(2)));
  CHECK(accepts(0.3333, 1 / 3.0));
  CHECK(accepts(0.001234, 0.0012341));
  CHECK_FALSE(accepts(2.67, 8 / 3.0));
  CHECK_FALSE(accepts(0.333, 1 / 3.0));
  CHECK_FALSE(accepts(0.00123, 0.0012341));
  const auto told = [](double typed, double expected) { return said([=] { expect_typed("it", typed, expected); }); };
  CHECK(told(2.67, 8 / 3.0).ends_with("→ Nearly: four digits are asked for."));
  CHECK(told(2.7, 8 / 3.0).ends_with("→ Go through your computation once more, number by number."));
  CHECK(told(299, 300).ends_with("→ Go through your computation once more, number by number."));
}

TEST_CASE("expect_typed: whole numbers are exact") {
  CHECK(accepts(43424, 43424));
  CHECK_FALSE(accepts(43422, 43424));
  CHECK_FALSE(accepts(43425, 43424));
  CHECK_FALSE(accepts(124439807, 124439808));
  CHECK_FALSE(accepts(2.9999, 3));
  CHECK(accepts(0.1 * 30, 3));        // a term may lose a little in rounding
  CHECK(accepts(7, 7.000000000001));  // and so may a slope that was measured
  CHECK_FALSE(accepts(0.0001, 0));
}

TEST_CASE("expect: mistakes that cannot be told apart are a fault of the exercise, even where the answer is right") {
  const auto of_tensors = said([] { expect("it", row({1, 2}), row({1, 2}), {{row({1, 2}), "The same."}}); });
  CHECK(of_tensors.find("a fault, which is not yours:\n  it: a mistake has the answer that is expected: The same.") !=
        std::string::npos);
  const auto twice = said([] { expect("it", 1.0, 1.0, {{2, "Two."}, {3, "Three."}, {2, "Two again."}}); });
  CHECK(twice.find("it: two mistakes have the same answer: Two. | Two again.") != std::string::npos);
  const auto typed = said([] { expect_typed("it", 0.5, 2 / 3.0, {{0.6668, "Close."}}); });
  CHECK(typed.find("it: a mistake has the answer that is expected: Close.") != std::string::npos);
  // Other shapes, and whole numbers that differ by 1, can be told apart.
  CHECK(right([] { expect("it", row({1, 2}), row({1, 2}), {{row({1}), "Short."}, {row({1, 2, 3}), "Long."}}); }));
  CHECK(right([] { expect_typed("it", 43424, 43424, {{43423, "One is missing."}}); }));
}

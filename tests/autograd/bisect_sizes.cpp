// What is small beside other numbers, and what stands in a function many times.
#include "autograd/gradcheck/bisect/bisect.h"

#include "tests/autograd/leaf.h"
#include "tests/catch.h"

using namespace regard;

namespace {

using In = std::vector<Variable>;

constexpr OpInfo product_info{"product", "a·b", "∂a = −g·b (wrong), ∂b = g·a"};
Variable product_with_wrong_sign(const Variable& a, const Variable& b) {
  return record(product_info, {a, b}, a.value() * b.value(),
                [](const Variable& g, const Saved& s) { return gradients(-(g * s.inputs[1]), g * s.inputs[0]); });
}

constexpr OpInfo power_info{"power", "e^x", "∂x = g·y, but −g·y where y < 10⁻⁶ (wrong)"};
Variable power_with_wrong_case(const Variable& x) {
  return record(power_info, {x}, exp(x.value()), [](const Variable& g, const Saved& s) {
    const Tensor sign = where(less(s.output.value(), 1e-6), -1, ones(g.shape(), DType::f64));
    return gradients(g * s.output * Variable(sign));
  });
}

constexpr OpInfo doubled_info{"doubled", "sin x", "∂x = 2·g·cos x (wrong)"};
Variable sine_with_factor(const Variable& x) {
  return record(doubled_info, {x}, sin(x.value()),
                [](const Variable& g, const Saved& s) { return gradients(2 * g * cos(s.input())); });
}

}  // namespace

// The part of a is 10⁻⁸ of the whole slope: it is seen if a moves alone.
TEST_CASE("bisect: a wrong gradient is found beside one that is 10⁸ times as large") {
  const auto f = [](const In& in) { return sum(product_with_wrong_sign(tanh(in[0]), in[1])); };
  const BisectReport report = bisect(f, {leaf({0.5, -1, 2}), leaf({1e-8, 2e-8, 1.5e-8})});
  INFO(to_string(report));
  REQUIRE(report.wrong.size() == 1);
  CHECK(report.wrong[0].op == &product_info);
  REQUIRE(report.wrong[0].gradients.size() == 1);
  CHECK(report.wrong[0].gradients[0].input == 0);
  CHECK(report.wrong[0].gradients[0].mistake == "it is the right one times −1");
}

TEST_CASE("bisect: an input that has little influence beside another moves alone, in four more runs") {
  const auto f = [](const In& in) { return sum(in[0] * in[1]) + sum(exp(in[0]) * in[1]); };
  const BisectReport report = bisect(f, {leaf({0.5, -1, 2}), leaf({1e-8, 2e-8, 1.5e-8})});
  CHECK(to_string(report) == "0 of 6 operations are wrong");
  CHECK(report.evaluation_count == 6 + 2 * 4);  // of two operations
}

TEST_CASE("bisect: a mistake in a single small element is found") {
  const auto f = [](const In& in) { return sum(power_with_wrong_case(in[0])); };
  const BisectReport report = bisect(f, {leaf({-15, -1, 0.5})});
  INFO(to_string(report));
  REQUIRE(report.wrong.size() == 1);
  REQUIRE(report.wrong[0].gradients.size() == 1);
  const bisecting::WrongGradient& off = report.wrong[0].gradients[0];
  CHECK(off.index == 0);
  CHECK(off.mistake ==
        "beside the largest derivatives there is hardly a difference; 1 of 9 derivatives are off, the most "
        "∂y[0]/∂x[0]: by the "
        "rule -3.0590232e-07, measured 3.0590232e-07\n"
        "  each row is an element of x, each column one of y, × is off:\n"
        "    [0]       ×··\n"
        "    [1]       ···\n"
        "    [2]       ···");
}

// Of the whole slope this element is less than 10⁻⁶, the tolerance: it is seen because slow elements weigh more.
TEST_CASE("bisect: a mistake in an element that moves 10⁷ times as slowly as another is found") {
  const auto f = [](const In& in) { return sum(power_with_wrong_case(in[0])); };
  const BisectReport report = bisect(f, {leaf({-18, -1, 0.5})});
  INFO(to_string(report));
  REQUIRE(report.wrong.size() == 1);
  CHECK(report.wrong[0].gradients[0].index == 0);
}

TEST_CASE("bisect: of an operation that is used many times one use is examined, and the others are counted") {
  const auto f = [](const In& in) {
    Variable h = in[0];
    for (int i = 0; i < 50; ++i) h = sine_with_factor(cos(h));
    return sum(h);
  };
  const BisectReport report = bisect(f, {leaf({0.5, -1, 2, 0.25})});
  INFO(to_string(report));
  REQUIRE(report.wrong.size() == 1);
  CHECK(report.wrong[0].number == 2);
  CHECK(report.wrong[0].more_uses == 49);
  CHECK(to_string(report).starts_with("1 of 101 operations is wrong\noperation 2, doubled: "));
  CHECK(to_string(report).ends_with("\n  more uses of it that disagree: 49"));
  CHECK(report.evaluation_count < 300);
}

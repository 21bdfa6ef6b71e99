#include "autograd/all.h"
#include "tests/catch.h"

#include <limits>

using namespace regard;

namespace anomaly_test {

// A function of the program, by whose name the fault is to be found. Kept out of line, so that it is on the stack.
__attribute__((noinline)) Variable log_of_a_difference(const Variable& a, const Variable& b) {
  Variable result = log(a - b);
  return result;
}

__attribute__((noinline)) Variable distance_from_zero(const Variable& x) {
  Variable result = sqrt(square(x));
  return result;
}

template <class T>
__attribute__((noinline)) Variable log_of(T x) {
  Variable result = log(Variable(tensor({x})));
  return result;
}

}  // namespace anomaly_test

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

TEST_CASE("outside anomaly mode a NaN travels on") { CHECK(is_nan(log(Variable(tensor({-1.0})))).item() == 1); }

TEST_CASE("anomaly mode names the operation that made the first NaN, and where") {
  AnomalyMode watch;
  Variable a = parameter(tensor({1, 2})), b = parameter(tensor({0, 3}));
  CHECK_THROWS_WITH(exp(anomaly_test::log_of_a_difference(a, b)),
                    StartsWith("anomaly: 'log' (log x) made the first NaN, from inputs f32 (2); recorded in ") &&
                        ContainsSubstring("anomaly_test::log_of_a_difference"));
}

TEST_CASE("a NaN that came from outside is told apart") {
  AnomalyMode watch;
  const Variable x(tensor({1, std::numeric_limits<double>::quiet_NaN()}));
  CHECK_THROWS_WITH(2 * x,
                    StartsWith("anomaly: 'affine' (c·x + d) received and returned NaN, from inputs f32 (2) with NaN"));
}

TEST_CASE("anomaly mode names the rule that made the first NaN, and where its operation was recorded") {
  AnomalyMode watch;
  Variable x = parameter(tensor({0.0}));  // √ has slope ∞ at 0, and ∞ · 0 is NaN
  const Variable y = anomaly_test::distance_from_zero(x);
  CHECK_THROWS_WITH(
      sum(y).backward(),
      StartsWith("anomaly: the rule of 'square' (∂x = 2·g·x) made the first NaN, in the gradient of input 0 "
                 "(1); recorded in ") &&
          ContainsSubstring("anomaly_test::distance_from_zero"));
}

TEST_CASE("a NaN that a rule makes and masks is no anomaly") {
  AnomalyMode watch;
  Variable a = parameter(tensor({0.0}, DType::f64)), b = parameter(tensor({0.0}, DType::f64));
  CHECK_NOTHROW(sum(pow(a, b)).backward());
}

TEST_CASE("a function template of the program is named too") {
  AnomalyMode watch;
  CHECK_THROWS_WITH(anomaly_test::log_of<double>(-1), ContainsSubstring("anomaly_test::log_of<double>"));
}

TEST_CASE("anomaly mode ends with its guard, also after an exception") {
  CHECK_THROWS([] {
    AnomalyMode watch;
    log(Variable(tensor({-1.0})));
  }());
  CHECK_NOTHROW(log(Variable(tensor({-1.0}))));
}

TEST_CASE("a watched computation gives the same values") {
  Variable x = parameter(tensor({0.5, 1.5}));
  sum(tanh(x)).backward();
  const Tensor plain = x.gradient().value();
  x.clear_gradient();
  AnomalyMode watch;
  sum(tanh(x)).backward();
  CHECK(identical(x.gradient().value(), plain));
}

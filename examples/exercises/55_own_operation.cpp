// 55. An operation of your own · grade 2 · chapter 19_own_operation
//
// A model of prices is trained with the squared error, and one absurd price in the data spoils it: its error of 1000
// counts a million times as much as an error of 1. With |x| it would count a thousand times, but |x| has a kink at 0.
// ln cosh x is both: near 0 it is x²/2, far away |x| − ln 2. The library does not have it. Composed of exp and log it
// is ∞ where x is 1000, just where it is wanted. So write it as an operation, with its value and its rule.
//
// Hint: cosh x = (e^x + e^(−x))/2. Take the larger of the two powers out of the logarithm: it is e^|x|. For the rule
// derive ln cosh x, and write it with Variables, so that it can be derived again.
#include "autograd/all.h"
#include "examples/exercises/exercise.h"

#include <cmath>

using namespace regard;

constexpr OpInfo log_cosh_info{"log_cosh", "ln cosh x", "∂x = ?"};

// TODO: the value, computed from x.value(), and the rule. What the rule may look at is saved.input(), which is x, and
// saved.output, which is y.
Variable log_cosh(const Variable& x) {
  const Tensor value = log((exp(x.value()) + exp(-x.value())) / 2);
  return record(log_cosh_info, {x}, value, [](const Variable& grad, const Saved& saved) { return gradients(grad); });
}

// ---- This is what checks it. ----

namespace {

void check_value() {
  const Tensor x = tensor({0, std::log(2), -std::log(2), 3}, DType::f64);
  const Tensor right = tensor({0, std::log(1.25), std::log(1.25), std::log(std::cosh(3))}, DType::f64);
  exercises::expect("ln cosh of 0, ln 2, −ln 2 and 3", log_cosh(x).value(), right,
                    {{abs(x) - std::log(2), "That is right far away only. Near 0 it is x²/2."},
                     {right + std::log(2), "cosh x is (e^x + e^(−x))/2. Is the 2 missing?"}});
  exercises::expect("ln cosh of 1000 and −1000", log_cosh(tensor({1000, -1000}, DType::f64)).value(),
                    tensor({1000 - std::log(2), 1000 - std::log(2)}, DType::f64),
                    {{tensor({INFINITY, INFINITY}, DType::f64),
                      "e^1000 is more than an f64 can hold. ln cosh x = |x| + ln(1 + e^(−2|x|)) − ln 2."},
                     {tensor({1000 - std::log(2), INFINITY}, DType::f64),
                      "For large x it is right, and for large −x e^(−2x) is too large. Which power is the larger one?"},
                     {tensor({1000, 1000}, DType::f64), "Far away it is |x| − ln 2."}});
}

void check_rule() {
  const auto slopes = [](const Tensor& x, double arriving) {
    const Variable in = parameter(x);
    return grad({sum(log_cosh(in) * arriving)}, {in})[0].value();
  };
  const Tensor x = tensor({std::log(2), -std::log(2)}, DType::f64), y = log_cosh(x).value();
  exercises::expect(
      "∂x at ln 2 and −ln 2, if 5 arrives", slopes(x, 5), tensor({3, -3}, DType::f64),
      {{tensor({5, 5}, DType::f64), "What arrives is handed on. By how much does ln cosh x grow with x?"},
       {tensor({0.6, -0.6}, DType::f64), "Multiply by the gradient that arrives, which is 5 here."},
       {5.0 / (0.5 * (exp(x) + exp(-x))), "The slope of ln u is 1/u, times the slope of u: cosh x has sinh x."},
       {5.0 * (1.0 - square(tanh(x))), "1 − tanh² is the slope of tanh x, and tanh x is the slope of ln cosh x."},
       {5.0 * tanh(y), "The slope is a function of x. You have put y into it."},
       {tensor({3, 3}, DType::f64), "For negative x the function falls."}});
  exercises::expect("∂x at 1000 and −1000, if 1 arrives", slopes(tensor({1000, -1000}, DType::f64), 1),
                    tensor({1, -1}, DType::f64),
                    {{tensor({NAN, NAN}, DType::f64), "Your rule divides ∞ by ∞. The library's tanh does not."}});
  const auto f = [](const std::vector<Variable>& in) { return log_cosh(in[0]); };
  const Variable input = tensor({0.7, -1.3, 2}, DType::f64);
  exercises::expect_gradient("log_cosh", f, {input}, "The slopes of the value are not what the rule says.",
                             {.order = 1});
  exercises::expect_gradient(
      "log_cosh, derived twice", f, {input},
      "The gradient is right, but it does not remember that it depends on x. Is there a value() in "
      "your rule? Then its derivative is lost.");
}

}  // namespace

int main() {
  return exercises::exercise([] {
    check_value();
    check_rule();
  });
}

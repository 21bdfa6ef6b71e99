// 28. Find the wrong rule · grade 3 · chapter 06_checking_gradients
//
// Four operations, four rules, written on a long evening. A model that uses all of them trains, but worse than it
// should. One rule is wrong; which one? Two of the right ones look odd, so do not trust your eyes. Let the library
// measure: print gradcheck(…) for each operation, and choose the inputs so that a mistake must show: chapter 6 says
// which do. You will see a line for each, with the number of elements, the largest error, and PASS or FAIL. Below a
// FAIL stands one number of the gradient twice: by the rule (analytic), and measured (numeric).
//
//   1  y = x·σ(x)                      σ is sigmoid
//   2  y = 30·tanh(x/30)               a cap: y stays between −30 and 30
//   3  y = x/|x|, for each row of x    |x| is the length of the row
//   4  y = softmax(2·x), for each row
//
// Hint: In look() write  for (int n = 1; n <= 4; ++n) fmt::print("{}\n", gradcheck(…, {x}));  with the function
// [n](const auto& in) { return operation(n, in[0]); } and an x of two rows of random numbers. For the mend, think of
// the shape of the function: what happens to y, and so to ∂x, if x becomes twice as large?
#include "autograd/all.h"
#include "examples/exercises/exercise.h"

#include <fmt/format.h>

using namespace regard;

Variable operation(int number, const Variable& x);  // one of the four

// TODO: look; then type the number of the wrong rule; then mend that rule.
void look() {}  // is called first: print here what helps you

const int wrong = 0;

// The gradient of x, given that of y (g), x and y.
Variable rule_1(const Variable& g, const Variable& x, const Variable& y) { return g * (y + sigmoid(x) * (1 - y)); }
Variable rule_2(const Variable& g, const Variable&, const Variable& y) { return g * (1 - square(y / 30)); }
Variable rule_3(const Variable& g, const Variable& x, const Variable& y) {
  const Variable r = rsqrt(sum(square(x), -1, keepdim));
  return r * g - y * sum(g * y, -1, keepdim);
}
Variable rule_4(const Variable& g, const Variable&, const Variable& y) { return 2 * y * (g - sum(g * y, -1, keepdim)); }

// ---- This is what checks it. ----

Variable operation(int number, const Variable& x) {
  static constexpr OpInfo info{"an operation", "one of the four", "its rule stands above"};
  const Tensor& in = x.value();
  Tensor value = in * sigmoid(in);
  if (number == 2) value = 30 * tanh(in / 30);
  if (number == 3) value = in * rsqrt(sum(square(in), -1, keepdim));
  if (number == 4) value = softmax(2 * in, -1);
  const auto rule = number == 1 ? rule_1 : number == 2 ? rule_2 : number == 3 ? rule_3 : rule_4;
  return record(info, {x}, value, [rule](const Variable& grad, const Saved& saved) {
    return gradients(rule(grad, saved.input(), saved.output));
  });
}

int main() {
  return exercises::exercise([] {
    look();
    exercises::expect(wrong != 0,
                      "Measure: print gradcheck(…) for each operation in look(). Of the four lines that stand above "
                      "this one then, one ends in FAIL: type the number of its operation as `wrong`.");
    exercises::expect(wrong >= 1 && wrong <= 4, "There are four operations: 1, 2, 3 and 4.");
    exercises::expect(
        wrong != 1,
        "Rule 1 is right. The slope of x·σ(x) is σ + x·σ·(1 − σ), and since y = x·σ this is y + σ·(1 − y).");
    exercises::expect(wrong != 2,
                      "Rule 2 is right. The slope of tanh is 1 − tanh², tanh is y/30 here, and the 30 in front and the "
                      "1/30 inside cancel.");
    exercises::expect(wrong != 4, "Rule 4 is right: the rule of softmax, times 2, as its input is 2·x.");

    const Variable x = tensor({{3, 4}, {0.6, -0.8}}, DType::f64), g = tensor({{1, 0}, {1, 1}}, DType::f64);
    const Variable y = operation(3, x);
    const Tensor short_row = tensor({{1.12, 0.84}}, DType::f64);  // row 2, where r is 1
    const auto with = [&](double a, double b) { return cat({tensor({{a, b}}, DType::f64), short_row}, 0); };
    exercises::expect("rule_3(g, x, y), for x = (3, 4), (0.6, −0.8) and g = (1, 0), (1, 1)", rule_3(g, x, y).value(),
                      with(0.128, -0.096),
                      {{with(-0.16, -0.48),
                        "3 it is, well found. Now mend it. If x is twice as long, y stays the same, so ∂x must become "
                        "half as large: all of it."},
                       {with(0.928, -0.096), "Now only the second part has the factor r."},
                       {with(-1.6, -2.4), "The part that is taken off is now too large: x is 1/r times as long as y."},
                       {tensor({{0.2, 0}, {1, 1}}, DType::f64),
                        "y does not change if x becomes longer, so ∂x must have no part along x. That is what was "
                        "taken off; it is missing now."},
                       {with(0.64, -0.48), "The factor r is gone. It belongs before both parts."},
                       {with(0.1856, -0.0192), "The second part has r twice."},
                       {tensor({{0.152, -0.064}, {0.76, 1.32}}, DType::f64),
                        "The sum has run over both rows: sum(…, -1, keepdim)."}});
    Generator random(28);
    for (int n = 1; n <= 4; ++n)
      exercises::expect_gradient(
          fmt::format("operation {}", n), [n](const auto& in) { return operation(n, in[0]); },
          {normal({2, 3}, random, 0, 1, DType::f64)},
          n == 3 ? "Its numbers are right, but it must be computed with Variables throughout."
                 : "This one was right as it was given.");
  });
}

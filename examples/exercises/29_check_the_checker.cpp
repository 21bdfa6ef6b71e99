// 29. Who checks the checker? · grade 3 · chapter 06_checking_gradients
//
// A friend has checked softmax: the loss is the sum of its results, the slopes were measured, all agree. They would
// agree with a rule that returns nothing but zeros, too. Below is that check. It takes a function f, its rule and an
// input x, and says whether the rule is right. Twelve rules are waiting for it, some right, some wrong, each wrong in
// another way: one only where c is negative, one only in its last number, one by a thousandth, one where all slopes are
// tiny.
//
// Make it a check that one can trust: it lets every right rule pass, and no wrong one.
//
// Hint: L(x) = Σ c·f(x), where c has as many numbers as f(x): random ones, of both signs, none of them near 0. The rule
// gets this c. Measure to both sides, with the step of the chapter, for each number of x. Compare by a relative error,
// so that size does not matter; but two numbers that are both 0 are alike.
#include "examples/exercises/exercise.h"
#include "tensor/all.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

using namespace regard;

using Function = std::function<Tensor(const Tensor& x)>;
using Rule = std::function<Tensor(const Tensor& x, const Tensor& c)>;  // ∂x, if c is the gradient of f(x)

// TODO: mend this check. x is f64 and may have any shape; that of f(x) may be another one. Do not use gradcheck.
bool is_right(const Function& f, const Rule& rule, const Tensor& x) {
  const Tensor c = ones_like(f(x));
  const double h = 1e-4;
  const Tensor analytic = rule(x, c);
  std::vector<double> moved = to_vector(x);
  moved[0] += h;
  const double slope = (sum(c * f(tensor(moved, x.shape(), DType::f64))).item() - sum(c * f(x)).item()) / h;
  return std::abs(slope - to_vector(analytic)[0]) < 1e-3;
}

// ---- This is what checks it. ----

Tensor softmax_rule(const Tensor& x, const Tensor& c) {
  const Tensor y = softmax(x, -1);
  return y * (c - sum(c * y, -1, keepdim));
}

int main() {
  return exercises::exercise([] {
    const Tensor x = tensor({{0.3, -1.2, 0.8, 0.1}, {2.1, 0.4, -0.7, 1.5}}, DType::f64);
    const Function f = [](const Tensor& in) { return softmax(in, -1); };
    const auto passes = [&x](const std::string& name, const Function& g, const Rule& rule,
                             const std::string& sentence) {
      bool right = false;
      try {
        right = is_right(g, rule, x);
      } catch (const Error& error) {
        exercises::expect(
            false, fmt::format("It ended with an error at {}: {}. c must have the shape of f(x), and be f64 as x is.",
                               name, error.what()));
      }
      exercises::expect(right, "A right rule does not pass: " + name + ". " + sentence);
    };
    const auto fails = [&x](const std::string& name, const Function& g, const Rule& rule, const std::string& sentence) {
      exercises::expect(!is_right(g, rule, x), "A wrong rule passes: " + name + ". " + sentence);
    };
    passes("softmax", f, softmax_rule,
           "Is each slope measured at the number of x that it is compared with? And has it six digits: to both sides, "
           "with a step near 10⁻⁵?");
    fails(
        "zeros for softmax", f, [](const Tensor& in, const Tensor&) { return zeros_like(in); },
        "The weights of a row add up to 1, whatever x is. So their plain sum has the slope 0, and so has any loss in "
        "which all weights count alike.");
    fails(
        "softmax with a plain mean", f,
        [](const Tensor& in, const Tensor& c) { return softmax(in, -1) * (c - mean(c, -1, keepdim)); },
        "With a c that is the same everywhere both means are the same. Take different numbers for c.");
    fails(
        "softmax, but 0 for the last number of x", f,
        [](const Tensor& in, const Tensor& c) {
          std::vector<double> values = to_vector(softmax_rule(in, c));
          values.back() = 0;
          return tensor(values, in.shape(), DType::f64);
        },
        "Not every number of x has been looked at.");
    fails(
        "softmax, but for |c| in place of c", f,
        [](const Tensor& in, const Tensor& c) { return softmax_rule(in, abs(c)); },
        "It is wrong where c is negative. Was any number of yours?");
    fails(
        "softmax, times 1.001", f, [](const Tensor& in, const Tensor& c) { return 1.001 * softmax_rule(in, c); },
        "A thousandth is a mistake, too: in f64 six digits and more can agree.");
    fails(
        "softmax, times 1.00001", f, [](const Tensor& in, const Tensor& c) { return 1.00001 * softmax_rule(in, c); },
        "A relative error of 10⁻⁵ must show. Measure to both sides, and ask for six digits.");
    const Function tiny = [&f](const Tensor& in) { return 1e-9 * f(in); };
    passes(
        "10⁻⁹·softmax", tiny, [](const Tensor& in, const Tensor& c) { return 1e-9 * softmax_rule(in, c); },
        "Its slopes are tiny, and so are their errors: divide the error by the size of the slope.");
    fails(
        "10⁻⁹·softmax with the rule of 2·10⁻⁹·softmax", tiny,
        [](const Tensor& in, const Tensor& c) { return 2e-9 * softmax_rule(in, c); },
        "All slopes of 10⁻⁹ agree to 10⁻⁶, right or wrong. Divide the error by the size of the slope.");
    passes(
        "a hundred million times e^x", [](const Tensor& in) { return 1e8 * exp(in); },
        [](const Tensor& in, const Tensor& c) { return 1e8 * c * exp(in); },
        "Its slopes are large, and so are their errors: divide the error by the size of the slope.");
    passes(
        "the sum of the squares of each row, (2, 4) → (2)", [](const Tensor& in) { return sum(square(in), -1); },
        [](const Tensor& in, const Tensor& c) { return 2 * in * unsqueeze(c, -1); },
        "Each number of c belongs to a number of f(x), and so to a row of x.");
    passes(
        "0·x", [](const Tensor& in) { return 0 * in; }, [](const Tensor&, const Tensor& c) { return 0 * c; },
        "Analytic and measured slope are both 0, and 0/0 is no number: say what is to happen then.");
  });
}

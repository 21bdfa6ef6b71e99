// 56. Which operation, and why? · grade 2 · chapter 22_tools_that_explain
//
// A small attention was built of five operations, each with a rule of its own. Each rule was tried on one word, and
// passed. On a text of three words the gradient is wrong. Which rule is it? Let the library say: bisect tests each
// operation alone. Then let shrink look for the smallest input of that operation that still fails. How small it can
// become says what kind of mistake it is.
//
// bisect prints how many operations are wrong; below it each of these by its name, and what is wrong with its gradient,
// if it is one of the mistakes that are tried, or else some derivatives by the rule and measured. shrink prints a check
// as C++, with the input that it has found in it, and why this check fails.
//
//   1  match   q·kᵀ/√D
//   2  weigh   softmax of each row
//   3  mix     α·v
//   4  scale   x/√(mean x²), for each row
//   5  gate    x·σ(x)
//
// Hint: In look() write  fmt::print("{}\n", bisect(model, {x}));  for an x of three rows of four random numbers, f64.
// Then  fmt::print("{}\n", to_string(shrink(…, {x}, {.order = 1})));  for the function  [](const auto& in) { return
// operation(n, {in[0]}); }  with the number n that you have found (or {in[0], in[1]} and two inputs, if it takes two).
// Now compare the shape that is left with what the operation says: "for each row".
#include "autograd/all.h"
#include "autograd/gradcheck/bisect/bisect.h"
#include "autograd/gradcheck/bisect/shrink.h"
#include "examples/exercises/exercise.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

using namespace regard;

Variable operation(int number, const std::vector<Variable>& in);  // one of the five
Variable model(const std::vector<Variable>& in);                  // all of them: in[0] is x (words, features)

// TODO: look; then type the number of the wrong operation, and how many rows the smallest input has that fails; then
// mend the rule.
void look() {}  // is called first: print here what helps you

const int wrong = 0;
const int rows = 0;

// The gradients of the inputs, given that of the result (g), the inputs and the result (y).
graph::Gradients rule_1(const Variable& g, const std::vector<Variable>& in, const Variable&) {
  const double r = 1 / std::sqrt(in[0].size(-1));
  return gradients(matmul(g, in[1]) * r, matmul(transpose(g), in[0]) * r);
}
graph::Gradients rule_2(const Variable& g, const std::vector<Variable>&, const Variable& y) {
  return gradients(y * g - y * sum(y * g, -1, keepdim));
}
graph::Gradients rule_3(const Variable& g, const std::vector<Variable>& in, const Variable&) {
  return gradients(matmul(g, transpose(in[1])), matmul(transpose(in[0]), g));
}
graph::Gradients rule_4(const Variable& g, const std::vector<Variable>& in, const Variable& y) {
  const Variable r = rsqrt(mean(square(in[0]), -1, keepdim));
  return gradients(r * (g - y * mean(g * y)));
}
graph::Gradients rule_5(const Variable& g, const std::vector<Variable>& in, const Variable& y) {
  return gradients(g * (y + sigmoid(in[0]) * (1 - y)));
}

// ---- This is what checks it. ----

Variable operation(int number, const std::vector<Variable>& in) {
  static constexpr std::array<OpInfo, 5> infos{{{"match", "q·kᵀ/√D", "rule_1"},
                                                {"weigh", "softmax of each row", "rule_2"},
                                                {"mix", "α·v", "rule_3"},
                                                {"scale", "x/√(mean x²), for each row", "rule_4"},
                                                {"gate", "x·σ(x)", "rule_5"}}};
  static constexpr std::array rules{rule_1, rule_2, rule_3, rule_4, rule_5};
  const Tensor a = in[0].value(), b = in.back().value();
  Tensor value = a * sigmoid(a);
  if (number == 1) value = matmul(a, transpose(b)) / std::sqrt(a.size(-1));
  if (number == 2) value = softmax(a, -1);
  if (number == 3) value = matmul(a, b);
  if (number == 4) value = a * rsqrt(mean(square(a), -1, keepdim));
  const auto rule = rules.at(static_cast<std::size_t>(number - 1));
  return record(infos.at(static_cast<std::size_t>(number - 1)), in, value,
                [rule](const Variable& grad, const Saved& saved) {
                  return rule(grad, {saved.inputs.begin(), saved.inputs.end()}, saved.output);
                });
}

Variable model(const std::vector<Variable>& in) {
  const Variable x = operation(4, in), weights = operation(2, {operation(1, {x, operation(5, {x})})});
  return operation(3, {weights, in[0]});
}

int main() {
  return exercises::exercise([] {
    try {
      look();
    } catch (const ValueError& error) {  // by shrink, once the rule is right
      fmt::print("{}\n", error.what());
    }
    exercises::expect(wrong != 0,
                      "Let the library look: print bisect(model, {x}) in look(). The second line of what stands "
                      "above this one then names the operation; type its number in the list as `wrong`.");
    exercises::expect(wrong == 4,
                      "This rule is right. bisect tells an operation by its name and by its number in the "
                      "order of recording; `wrong` is its number in the list above.");
    exercises::expect(rows != 0,
                      "4 it is. Now shrink: how many rows has the smallest input of operation 4 that fails?");
    exercises::expect(rows != 3, "Your x had three rows. But fewer will do: shrink the input, and count then.");
    exercises::expect(rows == 2,
                      "Give shrink operation 4 alone, with an x of several rows. It prints gradcheck(f, …) with an "
                      "input: count its rows, each in braces of its own.");

    const auto numbers = [](const Nested& all) { return tensor(all, DType::f64); };
    const Variable x = numbers({{1, 7}, {1, 1}}), g = numbers({{1, 0}, {1, 0}});
    const Variable y = operation(4, {x});
    exercises::expect(
        "rule_4(g, {x}, y), for x = (1, 7), (1, 1) and g = (1, 0), (1, 0)", rule_4(g, {x}, y)[0].value(),
        numbers({{0.196, -0.028}, {0.5, -0.5}}),
        {{numbers({{0.188, -0.084}, {0.7, -0.3}}),
          "Two rows, both right. Now mend it. With one row the rule is right; so with two, each row must have become "
          "mixed up with the other."},
         {numbers({{0.192, -0.056}, {0, -1}}),
          "Each row by itself now. But its length is a mean, so this is one, too."},
         {numbers({{0.176, 0}, {0.4, 0}}), "The mean has run down the columns. A row is its last axis, −1."},
         {numbers({{0.2, 0}, {1, 0}}),
          "If a row becomes longer, y stays the same: the part along y must be taken off."},
         {numbers({{0.18, -0.14}, {0.5, -0.5}}), "The factor r belongs before both parts."}});
    Generator random(56);
    exercises::expect_gradient(
        "the whole model", [](const auto& in) { return model(in); }, {normal({3, 4}, random, 0, 1, DType::f64)},
        "One of the five rules is not right any more, or is not computed with Variables.");
  });
}

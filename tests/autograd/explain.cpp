#include "nn/tools/explain/explain.h"

#include "autograd/all.h"
#include "autograd/elements.h"
#include "nn/tools/explain/document.h"
#include "tests/autograd/leaf.h"
#include "tests/catch.h"

#include <cmath>

namespace regard {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("explain: a product and a square, by hand") {
  const Variable x = parameter(tensor(2, DType::f64)), y = parameter(tensor(5, DType::f64));
  const auto f = [&] { return x * y + square(x); };
  const Variable loss = f();
  const Explanation told = explain(loss, x, 0, {.names = {{"x", x}, {"y", y}}, .again = f});
  CHECK(told.gradient == 9);  // y + 2x
  CHECK(*told.measured == Approx(9).epsilon(1e-8));
  CHECK(told.path_count == 2);
  CHECK(told.compared_all);
  CHECK(told.parts_at == "x");
  REQUIRE(told.uses.size() == 2);
  CHECK(told.uses[0].operation == "multiply () with y");
  CHECK(told.uses[0].contribution == 5);
  CHECK(told.uses[1].contribution == 4);
  REQUIRE(told.paths.size() == 2);
  CHECK(told.paths[0].contribution == 5);
  REQUIRE(told.paths[0].steps.size() == 2);
  const ExplainedStep& product = told.paths[0].steps[1];
  CHECK(product.numbers == "2 · 5 = 10");
  CHECK(product.arrives == 1);
  CHECK(product.slope == 5);
  CHECK(product.input == "x");
  CHECK(told.paths[0].steps[0].contribution == 9);  // all paths go through the sum
  CHECK(told.paths[1].steps[1].numbers == "2² = 4");

  loss.backward();  // the graph is as it was
  CHECK(x.gradient().item() == 9);
  CHECK(x.item() == 2);
}

TEST_CASE("explain: an operation that uses a number twice has two edges from it") {
  const Variable x = parameter(tensor(3, DType::f64));
  const Explanation told = explain(x * x, x);
  CHECK(told.path_count == 2);
  CHECK_THAT(to_text(explain(x * x, x, 0, {.paths = 0})), ContainsSubstring("2 paths lead from one to the other.\n"));
  REQUIRE(told.uses.size() == 2);
  CHECK(told.uses[0].contribution == 3);
  CHECK(told.uses[1].contribution == 3);
  REQUIRE(told.paths.size() == 2);
  CHECK(told.paths[0].contribution == 3);
  CHECK(told.paths[1].contribution == 3);
}

TEST_CASE("explain: what a step passes on is what arrives, times its slope") {
  const Variable x = parameter(tensor(3, DType::f64)), y = 5 * x;
  CHECK_THAT(to_text(explain(2 * y, x)),
             ContainsSubstring("passes on") && ContainsSubstring(" 2        5           10  "));
}

TEST_CASE("explain: along a path the element that carries most is followed") {
  const Variable x = leaf({{1, 10}}), w = leaf({{1, 2}, {3, 4}});
  // ∂/∂x₁ of Σ (x·W)² = 2·31·3 + 2·42·4: by the second element of the product more than by the first
  const Explanation told = explain(sum(square(matmul(x, w))), x, 1);
  CHECK(told.gradient == 2 * 31 * 3 + 2 * 42 * 4);
  REQUIRE(told.paths.size() == 1);
  CHECK(told.uses.empty());
  CHECK(told.paths[0].contribution == told.gradient);
  CHECK(told.paths[0].carried == 2 * 42 * 4);
  CHECK(told.paths[0].steps[1].element == "[0, 1]");
  CHECK(told.paths[0].steps[1].numbers == "42² = 1764");
  CHECK(told.paths[0].steps[2].slope == 4);
  CHECK(told.paths[0].steps[2].numbers.empty());  // a sum of products
}

TEST_CASE("explain: paths that are too many are counted, and large ones found") {
  const Variable start = parameter(tensor(0.5, DType::f64));
  Variable x = start;
  for (int block = 0; block < 24; ++block) x = x + 0.1 * tanh(x);
  const Explanation told = explain(x, start);
  CHECK(told.path_count == 16'777'216);  // 2²⁴
  CHECK_FALSE(told.compared_all);
  CHECK(told.paths[0].contribution == 1);  // past every block
  CHECK(told.gradient == Approx(grad({x}, {start})[0].item()));
}

TEST_CASE("explain: an operation is named after the module whose parameters it uses, once") {
  const Variable x = leaf({{1, 2}}), w = leaf({{1, 2}}), b = leaf({3});
  const Explanation told = explain(sum(linear(x, w, b)), x, 0, {.names = {{"head.weight", w}, {"head.bias", b}}});
  CHECK(told.paths[0].steps[1].operation == "linear (1, 1) of head");
}

TEST_CASE("explain: formulas are told with this run's numbers") {
  const Variable x = leaf({-2, 0.5}), y = leaf({3});
  CHECK(formula_with_numbers(exp(x), 1) == "e^0.5 = 1.649");
  CHECK(formula_with_numbers(sigmoid(x), 0) == "1/(1 + e^2) = 0.1192");
  CHECK(formula_with_numbers(maximum(x, y), 0) == "max((-2), 3) = 3");  // y is broadcast
  CHECK(formula_with_numbers(x - y, 1) == "0.5 − 3 = -2.5");
  CHECK(formula_with_numbers(pow(y, y), 0) == "3^3 = 27");
  CHECK(formula_with_numbers(softmax(x, 0), 0).empty());
  CHECK(formula_with_numbers(x, 0).empty());
  CHECK(formula_with_numbers(2 * x + 1, 0).empty());  // the table does not know c and d
  CHECK(formula_with_numbers(gelu(x, GeluForm::tanh), 1).empty());
}

TEST_CASE("explain: the measured slope, also of f32, leaves the value as it was when the loss throws") {
  const Variable x = parameter(tensor({1, 2}));
  const auto f = [&] { return sum(x * x * x); };
  CHECK(*explain(f(), x, 1, {.again = f}).measured == Approx(12).epsilon(1e-3));
  CHECK_THROWS_WITH(explain(f(), x, 1, {.again = []() -> Variable { fail<ValueError>("no"); }}), "no");
  CHECK(identical(x.value(), tensor({1, 2})));
}

TEST_CASE("explain: names are shown, not obeyed") {
  const Variable x = parameter(tensor(2, DType::f64));
  const Explanation told = explain(square(x), x, 0, {.names = {{"<script>|a*", x}}});
  CHECK(to_html(told).find("<script>") == std::string::npos);
  CHECK(to_html(told).find("&lt;script&gt;") != std::string::npos);
  CHECK(to_text(told).find("∂loss/∂(<script>|a*) = 4") == 0);
}

TEST_CASE("explain: a NaN that the element cannot move does not hide where its derivative comes from") {
  const Variable x = leaf({nan, 2});
  const Explanation told = explain(sum(x * x), x, 1);
  CHECK(told.gradient == 4);
  REQUIRE(told.paths.size() == 2);
  CHECK(told.paths[0].contribution == 2);
  CHECK(told.paths[0].steps[1].element == "[1]");
}

TEST_CASE(
    "explain: of many uses the largest are told, and the sum of the rest; of too many paths, that they are many") {
  const Variable x = parameter(tensor(1, DType::f64));
  Variable y = 100 * x;
  for (int i = 0; i < 30; ++i) y = y + 2 * x;
  CHECK_THAT(to_text(explain(y, x)), ContainsSubstring("42  through the other 21"));  // 100, nine times 2, and these
  Variable z = x;
  for (int i = 0; i < 1100; ++i) z = z + 0.001 * tanh(z);
  const Explanation told = explain(z, x);
  CHECK(told.paths.size() == 3);
  CHECK_THAT(to_text(told), ContainsSubstring("More than 10³⁰⁸ paths"));
}

TEST_CASE("explain: a rule that computes with values is refused, since it has no derivative of its own") {
  static constexpr OpInfo info{"mine", "x²", "∂x = 2·g·x"};
  const Variable x = leaf({3});
  const Variable y = record(info, {x}, square(x.value()), [](const Variable& g, const Saved& saved) {
    return gradients(Variable(2 * g.value() * saved.input().value()));
  });
  CHECK_THROWS_WITH(explain(sum(y), x), ContainsSubstring("the rule of 'mine' computes with values"));
}

TEST_CASE("explain: errors say what to do") {
  const Variable x = leaf({1, 2}), other = leaf({1, 2});
  const Variable loss = sum(square(x));
  CHECK_THROWS_WITH(explain(x * x, x), ContainsSubstring("explain: (2) is not a single number (reduce it"));
  CHECK_THROWS_WITH(explain(loss, other),
                    ContainsSubstring("explain: the loss was not computed from this Variable (2)"));
  CHECK_THROWS_WITH(explain(loss, x, 2), ContainsSubstring("explain: element 2 of (2)"));
  CHECK_THROWS_WITH(explain(loss, detach(x)), ContainsSubstring("does not require a gradient"));
  CHECK_THROWS_WITH(explain(Variable(), x), ContainsSubstring("explain: its argument loss is an undefined Variable"));
  loss.backward();
  CHECK_THROWS_WITH(explain(loss, x), ContainsSubstring("explain: the graph behind 'sum' () was freed"));
}

TEST_CASE("explain: a table in text has words on the left of their columns and numbers on the right") {
  Document document;
  document.table({"name", "b"}, {{"a", "2"}, {"ten", "30"}});
  CHECK(document.text() == "  name  b\n  a      2\n  ten   30\n");
  CHECK_THAT(
      document.html("rows"),
      ContainsSubstring("<td>a</td><td class=\"number\">2</td></tr>\n<tr><td>ten</td><td class=\"number\">30</td>"));
}

TEST_CASE("explain: the step of the measured slope is as large as the number is, but not smaller than for 1") {
  const auto slope = [](double at, const std::function<Variable(const Variable&)>& f) {
    const Variable x = leaf(at);
    const auto loss = [&] { return f(x); };
    return *explain(loss(), x, 0, {.again = loss}).measured;
  };
  CHECK(slope(0, [](const Variable& x) { return sin(x); }) == Approx(1).epsilon(1e-9));
  CHECK(slope(1e6, [](const Variable& x) { return x * x; }) == Approx(2e6).epsilon(1e-9));
}

TEST_CASE("explain: where the rules and the measured slope disagree the first line says so") {
  static constexpr OpInfo info{"mine", "x²", "∂x = g·x"};
  const auto mine = [](const Variable& x) {
    return record(info, {x}, square(x.value()),
                  [](const Variable& g, const Saved& saved) { return gradients(g * saved.input()); });
  };
  const auto first_line = [](const Variable& x, const std::function<Variable()>& f) {
    const std::string told = to_text(explain(f(), x, 0, {.again = f}));
    return told.substr(0, told.find('\n'));
  };
  for (const DType dtype : {DType::f64, DType::f32}) {
    const Variable x = parameter(tensor({3, 1}, dtype));
    const std::string line = first_line(x, [&] { return sum(mine(x)); });
    CHECK_THAT(line, ContainsSubstring("The rules give 3, but the measured slope is 6"));
    CHECK_THAT(line, ContainsSubstring("bisect(f, {x, …})") && ContainsSubstring("nn::bisect_module"));
    CHECK_THAT(first_line(x, [&] { return sum(square(x)); }), Catch::Matchers::StartsWith("∂loss/∂"));
    // Rounding of a large loss, a bend, a kink: there the slope is in doubt, and not the rule.
    CHECK_THAT(first_line(x, [&] { return sum(square(x)) + 1e5; }), Catch::Matchers::StartsWith("∂loss/∂"));
    CHECK_THAT(first_line(x, [&] { return exp(exp(sum(x) - 2)); }), Catch::Matchers::StartsWith("∂loss/∂"));
    CHECK_THAT(first_line(x, [&] { return sum(relu(x - 3)); }), Catch::Matchers::StartsWith("∂loss/∂"));
    CHECK_THAT(first_line(x, [&] { return sum(square(x)) + 1e6 - 1e6; }), Catch::Matchers::StartsWith("∂loss/∂"));
    CHECK_THAT(first_line(x, [&] { return sum(tanh(100 * (x - 3))); }), Catch::Matchers::StartsWith("∂loss/∂"));
  }
}

TEST_CASE("explain: each path is told") {
  const Variable x = leaf(2.0);
  const std::string told = to_text(explain(x * x + 3 * x, x, 0, {.names = {{"x", x}}}));
  for (const char* part : {"Path 1", "Path 2", "Path 3"}) CHECK_THAT(told, ContainsSubstring(part));
}

}  // namespace regard

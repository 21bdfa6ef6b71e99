// Single cases of the search for a wrong rule: fused operations, inputs that are used twice, and what cannot be judged.
#include "autograd/gradcheck/bisect/bisect.h"

#include "autograd/gradcheck/bisect/mistake.h"
#include "tests/autograd/leaf.h"
#include "tests/catch.h"

#include <cmath>
#include <optional>

using namespace regard;

namespace {

using In = std::vector<Variable>;
using Change = std::function<graph::Gradients(graph::Gradients right, const Variable& grad, const Saved& saved)>;

// The same operation, with its own name, but another rule: the right gradients, changed.
Variable with_changed_rule(const Variable& y, Change change) {
  const graph::Node& node = *y.node();
  return record(node.op, node.inputs, y.value(),
                [right = node.rule, change = std::move(change)](const Variable& grad, const Saved& saved) {
                  return change(right(grad, saved), grad, saved);
                });
}

In drawn(const std::vector<Shape>& shapes) {
  Generator generator(3);
  In inputs;
  for (const Shape& shape : shapes) inputs.push_back(parameter(normal(shape, generator, 0, 1, DType::f64)));
  return inputs;
}

// The only wrong gradient of the only wrong rule.
const bisecting::WrongGradient& the_wrong_one(const BisectReport& report, std::string_view op, std::size_t input) {
  REQUIRE(report.wrong.size() == 1);
  CHECK(report.wrong[0].op->name == op);
  REQUIRE(report.wrong[0].gradients.size() == 1);
  CHECK(report.wrong[0].gradients[0].input == input);
  return report.wrong[0].gradients[0];
}

}  // namespace

TEST_CASE("the wrong rule of a fused operation is found: attention whose keys get no scale") {
  const auto f = [](const In& in) {
    const Variable q = tanh(in[0]), k = tanh(in[1]), v = in[2] * 2;
    const Variable y = fused_attention(shipped_scores::dot(0.5), q, k, v);
    return sum(square(with_changed_rule(y, [](graph::Gradients g, const Variable&, const Saved&) {
      g[1] = g[1] / 0.5;
      return g;
    })));
  };
  const BisectReport report = bisect(f, drawn({{3, 4}, {5, 4}, {5, 2}}));
  INFO(to_string(report));
  const bisecting::WrongGradient& off = the_wrong_one(report, "fused_attention", 1);
  CHECK(off.mistake == "it is the right one times 2, where 2 is the size of axis 1 of the result");
}

// h = g·w, ∂x = r·(h − mean(h) − x̂·mean(h·x̂)): both means are forgotten.
TEST_CASE("the wrong rule of a fused operation is found: layer norm without its means") {
  const auto f = [](const In& in) {
    const Variable x = in[0] * 1.5;
    const Variable y = layer_norm(x, in[1], in[2]);
    return sum(square(tanh(with_changed_rule(y, [](graph::Gradients g, const Variable& grad, const Saved& saved) {
      const Variable& input = saved.inputs[0];
      g[0] = grad * saved.inputs[1] * rsqrt(var(input, -1, keepdim) + 1e-5);
      return g;
    }))));
  };
  const BisectReport report = bisect(f, drawn({{2, 4}, {4}, {4}}));
  INFO(to_string(report));
  CHECK(the_wrong_one(report, "layer_norm", 0)
            .mistake.starts_with("it leaves out that elements of the input move elements of the result; 32 of 64 "));
}

// y = a·b + a², with b for each row:  ∂a = g·b + 2·g·a, ∂b = Σ g·a
TEST_CASE("the wrong rule of a new operation is found: a factor lost in one term, a lost factor in a sum") {
  static constexpr OpInfo info{"mixed", "a·b + a²", "∂a = g·b + g·a, ∂b = Σ g"};
  const auto f = [](const In& in) {
    const Variable &a = in[0], &b = in[1];
    return sum(tanh(record(info, {a, b}, (a * b + square(a)).value(), [](const Variable& g, const Saved& saved) {
      return gradients(g * saved.inputs[1] + g * saved.inputs[0], sum(g, -1, keepdim));
    })));
  };
  const BisectReport report = bisect(f, drawn({{3, 4}, {3, 1}}));
  INFO(to_string(report));
  REQUIRE(report.wrong.size() == 1);
  REQUIRE(report.wrong[0].gradients.size() == 2);
  CHECK(report.wrong[0].gradients[0].mistake == "input 0·g has to be added to it");
  CHECK(report.wrong[0].gradients[1].mistake == "the factor input 0 is missing");
}

TEST_CASE("where a result is used by several operations, the one with the wrong rule is named") {
  const auto f = [](const In& in) {
    const Variable x = exp(in[0]);
    const Variable wrong = with_changed_rule(sin(x), [](graph::Gradients g, const Variable&, const Saved&) {
      g[0] = -g[0];
      return g;
    });
    return sum(cos(x) * x + wrong + square(x));
  };
  const BisectReport report = bisect(f, drawn({{2, 3}}));
  INFO(to_string(report));
  CHECK(the_wrong_one(report, "sin", 0).mistake == "it is the right one times −1");
  CHECK(report.wrong[0].number == 2);
  CHECK(report.wrong[0].gradients[0].origin == "the result of operation 1, exp");
}

TEST_CASE("two wrong rules are both found") {
  const Change no_gradient = [](graph::Gradients g, const Variable&, const Saved&) {
    g[0] = 0 * g[0];
    return g;
  };
  const auto f = [&](const In& in) {
    return sum(with_changed_rule(tanh(with_changed_rule(sin(in[0]), no_gradient)), no_gradient));
  };
  const BisectReport report = bisect(f, drawn({{2, 3}}));
  CHECK(
      to_string(report).starts_with("2 of 3 operations are wrong\noperation 1, sin: (2, 3) → (2, 3), y = sin x, rule "
                                    "∂x = g·cos x\n  the gradient of its input 0 (input 0 of the function): "
                                    "it is 0: a term is missing\n  element "));
}

TEST_CASE("an input that is used twice by one operation counts twice") {
  const auto right = [](const In& in) { return sum(in[0] * in[0]); };
  CHECK(to_string(bisect(right, drawn({{3}}))) == "0 of 2 operations are wrong");
  const auto wrong = [](const In& in) {
    return sum(with_changed_rule(in[0] * in[0], [](graph::Gradients g, const Variable&, const Saved&) {
      g[0] = 0 * g[0];
      return g;
    }));
  };
  CHECK(the_wrong_one(bisect(wrong, drawn({{3}})), "multiply", 0).mistake == "it is the right one times 1/2");
}

// What it records on the way leads nowhere, so it is no operation of the function, and keeps what it computes.
TEST_CASE("an operation may compute its value with recorded operations") {
  const auto f = [](const In& in) {
    const Variable exps = exp(in[0]), ones = exps / exps;
    return sum(record(op("sin"), {in[0]}, (sin(in[0]) * ones).value(), sin(in[0]).node()->rule));
  };
  const BisectReport report = bisect(f, drawn({{2, 3}}));
  CHECK(to_string(report) == "0 of 2 operations are wrong");
  CHECK(report.evaluation_count == 6);
}

TEST_CASE("an operation is not judged if another of its inputs moves along, unrecorded") {
  const auto cut = [](const In& in) {
    const Variable x = sin(in[0]);
    return sum(exp(x - detach(max(x, -1, keepdim))));
  };
  const BisectReport report = bisect(cut, drawn({{2, 3}}));
  CHECK(to_string(report) ==
        "0 of 3 operations that could be judged are wrong\noperation 2, subtract, was not judged: it uses a number "
        "that moves unrecorded, by item(), value() or detach(): no gradient flows that way");
}

TEST_CASE("at a kink no rule is judged") {
  const BisectReport report = bisect([](const In& in) { return sum(sin(relu(in[0]))); }, {leaf({-1, 0, 2})});
  INFO(to_string(report));
  CHECK(report.all_agree());
  REQUIRE(report.not_judged.size() == 1);
  CHECK(report.not_judged[0].op->name == std::string("relu"));
}

TEST_CASE("bisect says what it cannot work with") {
  const auto f = [](const In& in) { return sum(sin(in[0])); };
  CHECK_THROWS_WITH(bisect(f, {parameter(tensor({1, 2}))}),
                    "bisect: this must be f64, as the rounding of f32 hides wrong rules: input 0 of the function");
  const auto in_f32 = [](const In& in) { return sum(sin(to(in[0], DType::f32))); };
  CHECK_THROWS_WITH(
      bisect(in_f32, {leaf({1, 2})}),
      "bisect: this must be f64, as the rounding of f32 hides wrong rules: the result of operation 1, to");
  Generator generator(1);
  const auto dropout = [&](const In& in) {
    return sum(in[0] * Variable(bernoulli(in[0].shape(), generator, 0.5, 2, DType::f64)));
  };
  CHECK_THROWS_WITH(bisect(dropout, {leaf({1, 2, 3, 4, 5, 6, 7, 8})}),
                    "bisect: the function gives different results when called twice (give it a fixed Generator)");
  const auto constant = [](const In& in) { return sum(sin(detach(in[0]))); };
  CHECK_THROWS_WITH(bisect(constant, {leaf({1, 2})}), "bisect: the result depends on no input that has a gradient");
  const auto branches = [](const In& in) { return in[0].value().item() == 1 ? sin(in[0]) : cos(in[0]); };
  CHECK_THROWS_WITH(
      bisect(branches, {leaf(1)}),
      "bisect: when a value in it moves a little, the function records other operations, the first of them 'cos' "
      "(make what it does independent of the values)");
  const auto longer = [](const In& in) { return in[0].value().item() == 1 ? sin(in[0]) : sin(sin(in[0])); };
  CHECK_THROWS_WITH(
      bisect(longer, {leaf(1)}),
      "bisect: when a value in it moves a little, the function records other operations, the first of them 'sin' "
      "(make what it does independent of the values)");
}

// Causal attention, by a constant mask of −∞ that is added, by an input, and by masked_fill.
TEST_CASE("bisect: a mask of −∞ is no mistake") {
  const Tensor hidden = triu(ones({3, 3}, DType::f64), 1);
  const Tensor mask = where(hidden, -inf, zeros({3, 3}, DType::f64));
  const auto attend = [](const In& in, const Variable& scores) { return matmul(softmax(scores, -1), in[2]); };
  const auto scores = [](const In& in) { return matmul(in[0], transpose(in[1])); };
  In inputs = drawn({{3, 2}, {3, 2}, {3, 2}});
  const BisectReport added = bisect([&](const In& in) { return attend(in, scores(in) + Variable(mask)); }, inputs);
  CHECK(to_string(added) == "0 of 5 operations are wrong");
  CHECK(added.evaluation_count == 6);
  const BisectReport filled =
      bisect([&](const In& in) { return attend(in, masked_fill(scores(in), hidden, -inf)); }, inputs);
  CHECK(to_string(filled) == "0 of 5 operations are wrong");
  inputs.push_back(parameter(mask));
  const BisectReport given = bisect([&](const In& in) { return attend(in, scores(in) + in[3]); }, inputs);
  CHECK(to_string(given) == "0 of 5 operations are wrong");
}

TEST_CASE("bisect: a wrong rule is found beside a mask of −∞") {
  const Tensor hidden = triu(ones({3, 3}, DType::f64), 1);
  const auto f = [&](const In& in) {
    const Variable scores = masked_fill(matmul(in[0], in[1]), hidden, -inf);
    return sum(square(with_changed_rule(softmax(scores, -1), [](graph::Gradients g, const Variable&, const Saved&) {
      g[0] = -g[0];
      return g;
    })));
  };
  const BisectReport report = bisect(f, drawn({{3, 2}, {2, 3}}));
  INFO(to_string(report));
  CHECK(report.not_judged.empty());
  const bisecting::WrongGradient& off = the_wrong_one(report, "softmax", 0);
  CHECK(off.mistake == "it is the right one times −1");
  CHECK(off.analytic == Approx(-off.numeric));
}

// y = ∞·x is infinite, so no gradient arrives: ∂x = 0·∞ by a rule that is right.
TEST_CASE("bisect: NaN beside an infinity is not judged") {
  const Variable factors(f64({2, inf}));
  const BisectReport report = bisect([&](const In& in) { return sum(in[0] * factors); }, {leaf({1, 3})});
  INFO(to_string(report));
  CHECK(report.all_agree());
  REQUIRE(report.not_judged.size() == 1);
  CHECK(report.not_judged[0].reason ==
        "a number is infinite or NaN at element [1] of its input 0, or a step away: give it others");
}

TEST_CASE("bisect: where the result is NaN close by, no slope is measured and no rule is judged") {
  const BisectReport report = bisect([](const In& in) { return sum(log(in[0])); }, {leaf({2, 1e-13})});
  INFO(to_string(report));
  CHECK(report.all_agree());
  REQUIRE(report.not_judged.size() == 1);
  CHECK(report.not_judged[0].op->name == std::string("log"));
  CHECK(report.not_judged[0].reason ==
        "a number is infinite or NaN at element [1] of its input 0, or a step away: give it others");
}

TEST_CASE("bisect: a rule that gives NaN is told as that") {
  const auto f = [](const In& in) {
    return sum(with_changed_rule(in[0] * 2, [](graph::Gradients g, const Variable&, const Saved&) {
      g[0] = g[0] * Variable(f64({1, regard::nan}));
      return g;
    }));
  };
  const BisectReport report = bisect(f, {leaf({{1, 3}, {4, 5}})});
  INFO(to_string(report));
  const bisecting::WrongGradient& off = the_wrong_one(report, "affine", 0);
  CHECK(off.mistake == "the rule gives NaN or an infinity where the slope is a number");
  CHECK(to_string(report).find("\n  element [0, 1]: by the rule nan, measured ") != std::string::npos);
}

TEST_CASE("bisect: a factor is written as a fraction or a root where somebody may have written it so") {
  const auto written = [](double c) { return bisecting::as_written(c, {.x = zeros({2, 3}), .y = zeros({2, 8})}); };
  CHECK(written(7) == "7");
  CHECK(written(-5.0 / 12) == "−5/12");
  CHECK(written(12.0 / 5) == "12/5");
  CHECK(written(5.0 / 13) == std::nullopt);
  CHECK(written(13.0 / 5) == std::nullopt);
  CHECK(written(-std::sqrt(8)) == "−√8, where 8 is the size of axis 1 of the result");
  CHECK(bisecting::as_written(0.5, {.x = zeros({4}), .y = zeros({4})}) == "1/2");  // not 1/√4
  CHECK(written(1.0 / 6) == "1/6, where 6 is the number of elements of the input: a mean instead of a sum?");
  CHECK(written(0.3712) == std::nullopt);
}

TEST_CASE("bisect: the finite part of numbers is 0 where they are not finite") {
  const Tensor x = f64({2, regard::nan, INFINITY, -INFINITY});
  CHECK(to_vector(bisecting::finite_part(x)) == std::vector<double>{2, 0, 0, 0});
}

// y = 2x, so a rule of g/x lacks the factor y, and 2·x as well: what needs no number of its own is told.
TEST_CASE("bisect: a missing factor is told without a number in front, if there is one") {
  const auto f = [](const In& in) {
    return sum(with_changed_rule(2 * in[0], [](graph::Gradients, const Variable& grad, const Saved& saved) {
      return gradients(grad / saved.input());
    }));
  };
  const BisectReport report = bisect(f, {leaf({1.5, 0.7, -2.3})});
  CHECK(the_wrong_one(report, "affine", 0).mistake == "the factor the result is missing");
}

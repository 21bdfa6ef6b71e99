#include "autograd/gradcheck/bisect/bisect.h"

#include "tests/autograd/planted.h"
#include "tests/catch.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace regard;
using namespace regard::planted;

namespace {

constexpr OpInfo planted_info{"planted", "as it should be", "∂x = planted"};

// An operation of one input, or of two, with this value and this rule in place of its own.
using OneRule = Variable (*)(const Variable& g, const Saved& s);
One with_rule(One right, OneRule rule) {
  return [=](const Variable& x) {
    return made(planted_info, {x}, right(x).value(),
                [rule](const Variable& g, const Saved& s) { return gradients(rule(g, s)); });
  };
}

using TwoRules = graph::Gradients (*)(const Variable& g, const Variable& a, const Variable& b, const Variable& y);
Two with_rules(Two right, TwoRules rules) {
  return [=](const Variable& a, const Variable& b) {
    return made(planted_info, {a, b}, right(a, b).value(),
                [rules](const Variable& g, const Saved& s) { return rules(g, s.inputs[0], s.inputs[1], s.output); });
  };
}

struct Plant {
  const char* what;
  std::size_t input;  // whose gradient is off
  std::string text;
  std::function<void(Operations&)> in;
};

std::vector<Plant> plants() {
  using V = const Variable&;
  std::vector<Plant> list;
  const auto one = [&](const char* what, One Operations::*member, OneRule rule, const std::string& text) {
    list.push_back({what, 0, text, [=](Operations& f) { f.*member = with_rule(f.*member, rule); }});
  };
  const auto two = [&](const char* what, Two Operations::*member, TwoRules rules, std::size_t input,
                       const std::string& text) {
    list.push_back({what, input, text, [=](Operations& f) { f.*member = with_rules(f.*member, rules); }});
  };
  two(
      "a − b: ∂b = g", &Operations::minus, [](V g, V, V, V) { return gradients(g, g); }, 1,
      "it is the right one times −1");
  one(
      "c·x: ∂x = 2·c·g", &Operations::scaled, [](V g, const Saved&) { return g * 1.0; }, "it is the right one times 2");
  two(
      "A·B: ∂A = ½·g·Bᵀ", &Operations::times,
      [](V g, V a, V b, V) { return gradients(0.5 * matmul(g, transpose(b)), matmul(transpose(a), g)); }, 0,
      "it is the right one times 1/2");
  one(
      "expand: a mean over the rows", &Operations::rows, [](V g, const Saved&) { return mean(g, 0); },
      "it is the right one times 1/3, where 3 is the size of axis 0 of the input: a mean instead of a sum?");
  two(
      "a·b: ∂b = 0", &Operations::product, [](V g, V, V b, V) { return gradients(g * b, 0 * g); }, 1,
      "it is 0: a term is missing");
  two(
      "a·b: ∂a = g", &Operations::product, [](V g, V a, V, V) { return gradients(g, g * a); }, 0,
      "the factor input 1 is missing");
  one(
      "eˣ: ∂x = g", &Operations::power, [](V g, const Saved&) { return g; }, "the factor the result is missing");
  one(
      "1/√x: ∂x = −½·g·y", &Operations::inverse_root, [](V g, const Saved& s) { return -0.5 * g * s.output; },
      "the factor (the result)² is missing");
  one(
      "tanh x: ∂x = g", &Operations::squashed, [](V g, const Saved&) { return g; },
      "the factor (1 − (the result)²) is missing");
  one(
      "eˣ: ∂x = g·y²", &Operations::power, [](V g, const Saved& s) { return g * square(s.output); },
      "the factor 1/(the result) is missing");
  two(
      "a/b: ∂a = g", &Operations::quotient, [](V g, V, V b, V y) { return gradients(g, -(g * y / b)); }, 0,
      "the factor 1/(input 1) is missing");
  two(
      "a/b: ∂b = −g·y", &Operations::quotient, [](V g, V, V b, V y) { return gradients(g / b, -(g * y)); }, 1,
      "the factor 1/(input 1) is missing");
  one(
      "eˣ: ∂x = g·x", &Operations::power, [](V g, const Saved& s) { return g * s.input(); },
      "the factor the result·1/(input 0) is missing");
  two(
      "A·B: ∂A = g·B", &Operations::times,
      [](V g, V a, V b, V) { return gradients(matmul(g, b), matmul(transpose(a), g)); }, 0,
      "input 1 has to be transposed in it");
  two(
      "A·B: ∂B = (Aᵀ·g)ᵀ", &Operations::times,
      [](V g, V a, V b, V) { return gradients(matmul(g, transpose(b)), transpose(matmul(transpose(a), g))); }, 1,
      "it is the transposed of the right one");
  one(
      "transpose: ∂x = g", &Operations::turned, [](V g, const Saved&) { return identity(g); },
      "it is the transposed of the right one");
  one(
      "expand: a sum over the wrong axis", &Operations::rows, [](V g, const Saved&) { return sum(g, 1); },
      "two axes of the gradient that arrives are swapped in it");
  one(
      "expand: the first row", &Operations::rows, [](V g, const Saved&) { return select(g, 0, 0); },
      "of axis 0 of the gradient that arrives it counts 1 of 3 indexes: sum over all of them");
  one(
      "softmax: ∂x = y·g", &Operations::weights, [](V g, const Saved& s) { return g * s.output; },
      "−the result·Σ g·the result over axis -1 has to be added to it");
  one(
      "x − mean x: ∂x = g", &Operations::normed, [](V g, const Saved&) { return identity(g); },
      "−1/3·Σ g over axis -1 has to be added to it");
  two(
      "a/b: gradients swapped", &Operations::quotient, [](V g, V, V b, V y) { return gradients(-(g * y / b), g / b); },
      0, "it is that of input 1: the two are swapped");
  two(
      "a·b: gradients swapped", &Operations::product, [](V g, V a, V b, V) { return gradients(g * a, g * b); }, 1,
      "it is that of input 0: the two are swapped");
  one(
      "tanh x: ∂x = g·(1 − y² + y/9)", &Operations::squashed,
      [](V g, const Saved& s) { return g * (1 - square(s.output) + s.output / 9); },
      "−1/9·the result·g has to be added to it");
  one(
      "tanh x: ∂x = g·(1 + y²)", &Operations::squashed, [](V g, const Saved& s) { return g * (1 + square(s.output)); },
      "−2·(the result)²·g has to be added to it");
  one(
      "x − mean x: a mean over the other axis", &Operations::normed,
      [](V g, const Saved&) { return g - mean(g, 0, keepdim); },
      "−1/3·Σ g over axis -1 and 1/3·Σ g over axis -2 has to be added to it");
  one(
      "softmax: a sum over the other axis", &Operations::weights,
      [](V g, const Saved& s) { return s.output * (g - sum(g * s.output, 0, keepdim)); },
      "−the result·Σ g·the result over axis -1 and the result·Σ g·the result over axis -2 has to be added to it");
  one(
      "tanh x: ∂x = g·(1 − y⁴ − e^y/70)", &Operations::squashed,
      [](V g, const Saved& s) { return g * (1 - square(square(s.output)) - exp(s.output) / 70); },
      "it should be (1 − (the result)²)·g");
  one(
      "softmax: y⁴ + e^y/70 too many", &Operations::weights,
      [](V g, const Saved& s) {
        const Variable& y = s.output;
        return y * (g - sum(g * y, -1, keepdim)) + g * (square(square(y)) + exp(y) / 70);
      },
      "it should be −the result·Σ g·the result over axis -1 and the result·g");
  return list;
}

}  // namespace

TEST_CASE("attention whose rules are right agrees, and is run six times to see it") {
  const BisectReport report = bisect([](const In& in) { return attention({}, in); }, attention_inputs());
  INFO(to_string(report));
  CHECK(report.all_agree());
  CHECK(report.not_judged.empty());
  CHECK(to_string(report) == "0 of 29 operations are wrong");
  CHECK(report.evaluation_count == 6);
}

TEST_CASE("a wrong rule inside attention is found, and what is wrong with it is named") {
  for (const Plant& plant : plants()) {
    Operations operations;
    plant.in(operations);
    const BisectReport report = bisect([&](const In& in) { return attention(operations, in); }, attention_inputs());
    INFO(plant.what << "\n" << to_string(report));
    CHECK(report.not_judged.empty());
    REQUIRE_FALSE(report.wrong.empty());
    for (const bisecting::WrongRule& wrong : report.wrong) {  // the same operation may stand in several places
      CHECK(wrong.op == &planted_info);
      const auto off = std::ranges::find(wrong.gradients, plant.input, &bisecting::WrongGradient::input);
      REQUIRE(off != wrong.gradients.end());
      CHECK(off->mistake == plant.text);
    }
  }
}

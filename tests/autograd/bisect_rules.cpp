// Wrong rules of operations that are not the library's, as somebody who writes one may get them wrong. What is told of
// each is what has to be done.
#include "autograd/all.h"
#include "autograd/gradcheck/bisect/bisect.h"

#include "tests/catch.h"

using namespace regard;

namespace {

using In = std::vector<Variable>;
using V = const Variable&;

constexpr OpInfo mine{"mine", "as it should be", "as it is"};

struct WrongOne {
  const char* what;
  std::vector<Shape> inputs;
  Variable (*right)(const In& in);
  graph::Gradients (*rule)(V g, const In& in, V y);
  std::size_t input;  // whose gradient is off
  std::string told;
};

std::vector<WrongOne> wrong_ones() {
  const Shape rows{3, 4};
  return {
      {"a factor lost in one term: a²·b + b, ∂b = g·a + g",
       {rows, rows},
       [](const In& in) { return square(in[0]) * in[1] + in[1]; },
       [](V g, const In& in, V) { return gradients(2 * g * in[0] * in[1], g * in[0] + g); },
       1,
       "−input 0·(1 − input 0)·g has to be added to it"},
      {"a term lost: x·tanh x, ∂x = g·tanh x",
       {rows},
       [](const In& in) { return in[0] * tanh(in[0]); },
       [](V g, const In& in, V) { return gradients(g * tanh(in[0])); },
       0,
       "input 0·(1 − tanh²(input 0))·g has to be added to it"},
      {"a wrong sign inside: x/√(mean x²), ∂x = r·(g + y·mean(g·y))",
       {rows},
       [](const In& in) { return in[0] * rsqrt(mean(square(in[0]), -1, keepdim)); },
       [](V g, const In& in, V y) {
         return gradients(rsqrt(mean(square(in[0]), -1, keepdim)) * (g + y * mean(g * y, -1, keepdim)));
       },
       0,
       "−the result·1/|input 0|·Σ g·the result over axis -1 has to be added to it"},
      {"a mean over the wrong axis: x − mean x",
       {rows},
       [](const In& in) { return in[0] - mean(in[0], -1, keepdim); },
       [](V g, const In&, V) { return gradients(g - mean(g, 0, keepdim)); },
       0,
       "−1/4·Σ g over axis -1 and 1/3·Σ g over axis -2 has to be added to it"},
      {"a use transposed: a·W·bᵀ, ∂W = bᵀ·gᵀ·a",
       {rows, {4, 4}, rows},
       [](const In& in) { return matmul(matmul(in[0], in[1]), transpose(in[2])); },
       [](V g, const In& in, V) {
         return gradients(matmul(matmul(g, in[2]), transpose(in[1])),
                          matmul(matmul(transpose(in[2]), transpose(g)), in[0]),
                          matmul(matmul(transpose(g), in[0]), in[1]));
       },
       1,
       "it is the transposed of the right one"},
      {"a broadcast that is not summed: a·p, ∂p = the first row",
       {rows, {4}},
       [](const In& in) { return in[0] * in[1]; },
       [](V g, const In& in, V) { return gradients(g * in[1], select(g * in[0], 0, 0)); },
       1,
       "of axis 0 of the gradient that arrives it counts 1 of 3 indexes: sum over all of them"},
      {"a term doubled: softplus x + x, ∂x = g·σ(x) + 2·g",
       {rows},
       [](const In& in) { return softplus(in[0]) + in[0]; },
       [](V g, const In& in, V) { return gradients(g * sigmoid(in[0]) + 2 * g); },
       0,
       "−g has to be added to it"},
      {"another input kept: a·sin b, ∂b = g·a·cos a",
       {rows, rows},
       [](const In& in) { return in[0] * sin(in[1]); },
       [](V g, const In& in, V) { return gradients(g * sin(in[1]), g * in[0] * cos(in[0])); },
       1,
       "it should be input 0·cos(input 1)·g"},
      {"a wrong constant: x³/3 + x, ∂x = g·(x²/3 + 1)",
       {rows},
       [](const In& in) { return pow(in[0], 3) / 3 + in[0]; },
       [](V g, const In& in, V) { return gradients(g * (square(in[0]) / 3 + 1)); },
       0,
       "2/3·(input 0)²·g has to be added to it"},
      {"a factor taken for a constant: x·|x| for each row, ∂x = g·|x|",
       {rows},
       [](const In& in) { return in[0] * sqrt(sum(square(in[0]), -1, keepdim)); },
       [](V g, const In& in, V) { return gradients(g * sqrt(sum(square(in[0]), -1, keepdim))); },
       0,
       "input 0·1/|input 0|·Σ g·input 0 over axis -1 has to be added to it"},
      {"a constant that is hardly off: 2x, ∂x = 2.000003·g",
       {{1}},
       [](const In& in) { return 2 * in[0]; },
       [](V g, const In&, V) { return gradients(2.000003 * g); },
       0,
       "1 of 1 derivatives are off, the most ∂y[0]/∂x[0]: by the rule 2.000003, measured 2\n"
       "  each row is an element of x, each column one of y, × is off:\n"
       "    [0]       ×"},
      {"the right rule is that of the other input, too, and nothing is swapped: a + b, ∂a = g·a",
       {rows, rows},
       [](const In& in) { return in[0] + in[1]; },
       [](V g, const In& in, V) { return gradients(g * in[0], identity(g)); },
       0,
       "the factor 1/(input 0) is missing"},
  };
}

}  // namespace

TEST_CASE("bisect: twelve wrong rules of new operations, and what each of them lacks") {
  for (const WrongOne& one : wrong_ones()) {
    Generator random(5);
    In inputs;
    for (const Shape& shape : one.inputs) inputs.push_back(parameter(normal(shape, random, 0, 1, DType::f64)));
    const BisectReport report = bisect(
        [&](const In& in) {
          return sum(
              tanh(record(mine, graph::Inputs(in.begin(), in.end()), one.right(in).value(), [&](V g, const Saved& s) {
                return one.rule(g, In(s.inputs.begin(), s.inputs.end()), s.output);
              })));
        },
        inputs);
    INFO(one.what << "\n" << to_string(report));
    CHECK(report.not_judged.empty());
    REQUIRE(report.wrong.size() == 1);
    CHECK(report.wrong[0].op == &mine);
    REQUIRE(report.wrong[0].gradients.size() == 1);
    CHECK(report.wrong[0].gradients[0].input == one.input);
    CHECK(report.wrong[0].gradients[0].mistake.ends_with(one.told));
  }
}

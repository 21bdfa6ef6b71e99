// The first hour. Read this file from top to bottom, then run it:  ./examples/run first_hour
//   1. numbers that remember how they were made, and the walk back that gives their gradients
//   2. attention as plain loops over such numbers
//   3. a check of its gradients, one by one
//   4. the same numbers from the library
//   5. three tokens that learn to look at the token before them
// Only part 4 uses the library. All else is plain C++, and fmt for printing.
#include "examples/program.h"
#include "nn/attention/all.h"
#include "tensor/compare.h"

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <utility>

namespace {

// --- 1. Numbers that remember ----------------------------------------------------------------------------------------
//
// Take y = x·x at x = 3. If x grows by 0.001, y grows by about 0.006: six times as much. This factor is the DERIVATIVE
// of y with respect to x, written ∂y/∂x. A result of many numbers has one derivative for each of them. All of them
// together are its GRADIENT. Training needs it: it says which way to move each number to make the result smaller.
//
// A long computation is a chain of small ones. If x moves u, and u moves y, the factors multiply: ∂y/∂x = ∂y/∂u·∂u/∂x.
// This is the CHAIN RULE. If x moves y in several ways, the effects add up. So an operation has to know one
// thing only: its SLOPES, the derivatives of its output with respect to its own inputs.

// book: number
struct Node;

struct Number {  // a handle: a copy of it means the same number
  std::shared_ptr<Node> node;

  Number(double value = 0);
  explicit Number(Node* made) : node(made) {}
  double value() const;
};

struct Use {
  Number input;
  double slope;  // ∂(output)/∂(input)
};

// How a number was made. One that no operation made is a LEAF: given, or to be learned.
struct Node {
  const char* operation;
  double value;
  std::vector<Use> inputs;  // none: a leaf
  long order;               // counts the numbers as they are made: an input has a smaller one than its output
  double gradient = 0;      // of a leaf; backward() adds to it
  ~Node();
};

Number make(const char* operation, double value, std::vector<Use> inputs) {
  static long count = 0;
  return Number(new Node{operation, value, std::move(inputs), count++});
}
Number::Number(double value) : Number(make("leaf", value, {})) {}
double Number::value() const { return node->value; }
// book: /number

// book: rules
// Each operation is a value and its slopes, side by side. The slopes are its RULE. For a·b the slope of a is b: if a
// grows by 0.001, the product grows by b·0.001.
Number operator+(const Number& a, const Number& b) { return make("+", a.value() + b.value(), {{a, 1}, {b, 1}}); }
Number operator-(const Number& a, const Number& b) { return make("−", a.value() - b.value(), {{a, 1}, {b, -1}}); }
Number operator*(const Number& a, const Number& b) {
  return make("×", a.value() * b.value(), {{a, b.value()}, {b, a.value()}});
}
Number operator/(const Number& a, const Number& b) {
  const double y = a.value() / b.value();
  return make("÷", y, {{a, 1 / b.value()}, {b, -y / b.value()}});
}
Number exp(const Number& x) {
  const double y = std::exp(x.value());
  return make("exp", y, {{x, y}});
}
Number log(const Number& x) { return make("log", std::log(x.value()), {{x, 1 / x.value()}}); }
Number tanh(const Number& x) {
  const double y = std::tanh(x.value());
  return make("tanh", y, {{x, 1 - y * y}});
}
// book: /rules

// The walk back. It starts at the output, where ∂output/∂output = 1. From each number it goes to the inputs: slope ×
// gradient is what arrives there, and what arrives in several ways is added. Of the numbers that wait, the one made
// last goes first. So when a number's turn comes, all that was made from it has had its own, and its gradient is
// complete.
// book: backward
void backward(const Number& output, bool tell = false) {
  struct Arrival {
    Number number;
    double gradient;
  };
  std::map<long, Arrival, std::greater<>> waiting;  // the latest first
  waiting.try_emplace(output.node->order, Arrival{output, 1});
  while (!waiting.empty()) {
    const auto [number, gradient] = waiting.extract(waiting.begin()).mapped();  // takes the first one out
    if (tell) fmt::print("  {} ({}) has the gradient {}\n", number.value(), number.node->operation, gradient);
    if (number.node->inputs.empty()) number.node->gradient += gradient;  // a second walk adds to the first
    for (const auto& [input, slope] : number.node->inputs)
      waiting.try_emplace(input.node->order, Arrival{input, 0}).first->second.gradient += slope * gradient;
  }
}
// book: /backward

void show_gradients() {
  fmt::print("1. Numbers that remember: y = a·b + a at a = 2, b = 3. The walk back from y to the leaves b and a:\n");
  const Number a = 2, b = 3;
  backward(a * b + a, true);
  fmt::print("∂y/∂a = {} = b + 1: a is used twice, and both ways add up. ∂y/∂b = {} = a.\n", a.node->gradient,
             b.node->gradient);
  const Number x = 1;
  Number total = 0;
  for (int i = 0; i < 100000; ++i) total = total + x;
  backward(total);
  fmt::print("x + … + x, {} times: ∂/∂x = {}. A long chain is no problem.\n", total.value(), x.node->gradient);
}

// Why a long chain is no problem (this may wait): a Number owns its Node, and the Node its inputs; no input knows what
// was made from it. So there are no cycles, and what nobody holds is destroyed. A node that is destroyed lets go of its
// inputs, and they of theirs: one destructor inside another, which would overflow the stack on a long chain. So the
// first one takes over the inputs of those that go with it.
Node::~Node() {
  while (!inputs.empty()) {
    const Number last = inputs.back().input;
    inputs.pop_back();
    if (last.node.use_count() > 1) continue;  // somebody else holds it
    for (Use& use : last.node->inputs) inputs.push_back(std::move(use));
    last.node->inputs.clear();
  }
}

// --- 2. Attention ----------------------------------------------------------------------------------------------------
//
// A text is cut into TOKENS, say words. By attention each token collects something from others. Each has a QUERY q,
// what it looks for; a KEY k, by which it is found; and a VALUE v, what is collected from it. All are lists of numbers.
// How well query i and key j match is their SCORE: qᵢ·kⱼ/√D, the products of their D numbers, added up, over √D.
// (Larger D makes such sums larger, about as √D; the division undoes that.)
// The scores of a query become WEIGHTS, positive numbers of sum 1: weightⱼ = e^scoreⱼ / Σ e^score. This is SOFTMAX.
// The output of the query is the mean of the values with these weights: Σ weightⱼ·vⱼ.
// A CAUSAL MASK hides from each token all that come after it: a model that is to predict them must not see them.

// book: attend
using Row = std::vector<Number>;
using Rows = std::vector<Row>;  // one for each token

struct Attention {
  Rows scores, weights, output;  // (Lq, Lk), (Lq, Lk), (Lq, D) for Lq queries and Lk keys
};

Attention attend(const Rows& q, const Rows& k, const Rows& v, bool causal) {
  Attention result;
  for (std::size_t i = 0; i < q.size(); ++i) {
    Row scores(k.size()), powers(k.size()), weights(k.size()), output(v[0].size());
    Number total = 0;
    for (std::size_t j = 0; j < k.size(); ++j) {
      if (causal && j > i) continue;  // hidden: its power stays 0, and so does its weight
      for (std::size_t f = 0; f < q[i].size(); ++f) scores[j] = scores[j] + q[i][f] * k[j][f];
      scores[j] = scores[j] / std::sqrt(static_cast<double>(q[i].size()));
      powers[j] = exp(scores[j]);  // (too large for a number if the score is 1000; the library takes care of that)
      total = total + powers[j];
    }
    for (std::size_t j = 0; j < k.size(); ++j) {
      weights[j] = powers[j] / total;
      for (std::size_t f = 0; f < output.size(); ++f) output[f] = output[f] + weights[j] * v[j][f];
    }
    result.scores.push_back(scores);
    result.weights.push_back(weights);
    result.output.push_back(output);
  }
  return result;
}
// book: /attend

// The example, "birds love singing". The factor c makes paper and pencil enough: with it, e^score is a power of 2.
// book: tokens
const std::array words{"birds", "love", "singing"};
const double c = std::sqrt(2.0) * std::log(2.0);

struct Tokens {  // three, of two features
  Rows q{{-c, -c}, {c, 0}, {0, -c}}, k{{1, 0}, {0, 1}, {1, 1}}, v{{0, 12}, {6, 0}, {6, 12}};
};
// book: /tokens

std::string text(const Row& row, std::size_t seen) {
  std::string line;
  for (std::size_t f = 0; f < row.size(); ++f)
    line += f < seen ? fmt::format(" {:7.4f}", row[f].value()) : fmt::format(" {:>7}", "·");
  return line;
}

void show_attention() {
  const Tokens t;
  const Attention a = attend(t.q, t.k, t.v, true);
  fmt::print("\n2. Attention with a causal mask ('·' is hidden):  scores | weights | output\n");
  for (std::size_t i = 0; i < 3; ++i)
    fmt::print("{:7} {} |{} |{}\n", words[i], text(a.scores[i], i + 1), text(a.weights[i], i + 1),
               text(a.output[i], 2));
}

// --- 3. Is the gradient right? ---------------------------------------------------------------------------------------
//
// A derivative can be measured. Move one leaf up by h, then down by h, and compute again each time. The slope between
// the two results, (up − down)/2h, differs from the derivative by about h². With h = 10⁻⁵ some eight digits must agree.

// book: check
using Leaves = std::map<std::string, Number>;  // by their names

bool check(const std::function<Number()>& result, const Leaves& leaves) {
  backward(result());
  bool passed = true;
  for (const auto& [name, leaf] : leaves) {
    const double h = 1e-5, gradient = std::exchange(leaf.node->gradient, 0), old = leaf.value();
    leaf.node->value = old + h;
    const double up = result().value();
    leaf.node->value = old - h;
    const double slope = (up - result().value()) / (2 * h);
    leaf.node->value = old;
    const bool agrees = std::abs(gradient - slope) <= 1e-8 * std::max(1.0, std::abs(slope));
    fmt::print("  {:4}  gradient {:9.5f}  slope {:9.5f}  {}\n", name, gradient, slope, agrees ? "PASS" : "FAIL");
    passed = passed && agrees;
  }
  return passed;
}
// book: /check

// Learning makes a single number smaller, the LOSS. Here each token should put out the value of the token before it.
// The loss is the sum of the squared differences between the two; it is 0 if all outputs are right.
// book: loss
Number loss(const Rows& output, const Rows& wanted) {
  Number sum = 0;
  for (std::size_t i = 1; i < output.size(); ++i)
    for (std::size_t f = 0; f < output[i].size(); ++f) {
      const Number off = output[i][f] - wanted[i - 1][f];
      sum = sum + off * off;
    }
  return sum;
}
// book: /loss

bool show_check() {
  const Tokens t;
  const Rows wanted = Tokens().v;  // the same numbers, but none of the leaves
  Leaves leaves;
  for (const auto& [name, rows] : {std::pair{"q", t.q}, std::pair{"k", t.k}, std::pair{"v", t.v}})
    for (std::size_t i = 0; i < 6; ++i) leaves[fmt::format("{}{}.{}", name, i / 2 + 1, i % 2 + 1)] = rows[i / 2][i % 2];
  fmt::print("\n3. Gradients of the loss. Those of q1 are 0: token 1 sees only itself, whatever its query is.\n");
  const bool attention = check([&] { return loss(attend(t.q, t.k, t.v, true).output, wanted); }, leaves);

  const Number a = 0.5, b = 2;
  fmt::print("The operations that attention did not use: tanh(a − b) + log(b)\n");
  const bool others = check([&] { return tanh(a - b) + log(b); }, {{"a", a}, {"b", b}});
  fmt::print("A check must be able to fail. A rule for tanh with a slip: 1 − y, where 1 − y² is right\n");
  const double y = std::tanh(0.5);
  const bool slip = check([&] { return make("tanh", std::tanh(a.value()), {{a, 1 - y}}); }, {{"a", a}});
  return attention && others && !slip;
}

// --- 4. The same from the library ------------------------------------------------------------------------------------
//
// In the library an operation works on a whole table of numbers, a Tensor, and what remembers is called a Variable. The
// ideas are those of part 1: a rule beside each operation, the latest goes first, gradients add up. ScaledDotProduct is
// the score of part 2. Another score in its place makes another kind of attention.

regard::Tensor table(const Rows& rows, bool gradients = false) {
  std::vector<double> all;
  for (const Row& row : rows)
    for (const Number& x : row) all.push_back(gradients ? x.node->gradient : x.value());
  return regard::tensor(all, {3, static_cast<std::int64_t>(rows[0].size())}, regard::DType::f64);
}

bool show_library() {
  // book: library
  const Tokens t;
  const Attention ours = attend(t.q, t.k, t.v, true);
  backward(loss(ours.output, Tokens().v));

  const regard::Variable q = parameter(table(t.q)), k = parameter(table(t.k)), v = parameter(table(t.v));
  regard::nn::Attention attention(regard::nn::ScaledDotProduct{});
  const auto [output, weights] = attention(q, k, v, regard::nn::Mask::causal());
  sum(square(slice(output, 0, 1, 3) - slice(table(t.v), 0, 0, 2))).backward();  // rows 2 and 3, and 1 and 2
  // book: /library

  fmt::print("\n4. The same from the library. PASS: no number differs by more than 1e-12 from those above\n");
  bool equal = true;
  const auto compare = [&](const char* name, const regard::Tensor& theirs, const regard::Tensor& expected) {
    const double difference = largest_difference(theirs, expected);
    const bool agrees = difference <= 1e-12;
    fmt::print("{}\n{}   {}\n", name, theirs, agrees ? "PASS" : fmt::format("off by {:.0e}: FAIL", difference));
    equal = equal && agrees;
  };
  compare("weights", weights.value(), table(ours.weights));
  compare("output", output.value(), table(ours.output));
  compare("gradient of q", q.gradient().value(), table(t.q, true));
  compare("gradient of k", k.gradient().value(), table(t.k, true));
  compare("gradient of v", v.gradient().value(), table(t.v, true));
  return equal;
}

// --- 5. Learning where to look ---------------------------------------------------------------------------------------
//
// Three tokens learn queries and keys with which they look at the token before them. Nobody tells them the weights; all
// they get is the gradient of the loss. Each step of TRAINING moves every number a little against its gradient. The
// values are new random numbers in each step. So it is no help to learn values by heart; the tokens have to learn where
// to look.

bool show_learning(int steps) {
  const Rows q{{0.1, 0.2}, {0.2, -0.1}, {-0.1, 0.1}}, k{{0.2, 0.1}, {-0.1, 0.2}, {0.1, -0.2}};
  const auto show = [&](const std::string& when) {
    const Rows weights = attend(q, k, k, true).weights;
    fmt::print("weights {}\n", when);
    for (std::size_t i = 0; i < 3; ++i) fmt::print("  token {} looks at {}\n", i + 1, text(weights[i], i + 1));
    return std::min(weights[1][0].value(), weights[2][1].value());
  };
  fmt::print("\n5. Learning to look at the token before (the first one has only itself)\n");
  show("before training");
  // book: training
  std::mt19937 random(1);
  const auto next = [&] { return Number(static_cast<double>(random() % 2001) / 1000 - 1); };  // −1 … 1
  for (int step = 0; step < steps; ++step) {
    const Rows v{{next(), next()}, {next(), next()}, {next(), next()}};
    backward(loss(attend(q, k, v, true).output, v));
    for (const Rows& learned : {q, k})
      for (const Row& row : learned)
        for (const Number& x : row) x.node->value -= 0.3 * std::exchange(x.node->gradient, 0);
  }
  // book: /training
  const double least = show(fmt::format("after {} steps", steps));
  fmt::print("smallest weight on the token before: {:.2f}, to pass 0.95: {}\n", least, least >= 0.95 ? "PASS" : "FAIL");
  return least >= 0.95;
}

}  // namespace

int main(int argc, char** argv) {
  regard::Program program("The first hour: gradients and attention, from single numbers to the library");
  int steps = 300;
  program.option("--steps", steps, "Steps of training in part 5", 0, 100000);
  if (!program.parse(argc, argv)) return program.exit_code();

  show_gradients();
  show_attention();
  const bool checked = show_check(), equal = show_library(), learned = show_learning(steps);
  return checked && equal && learned ? 0 : 1;
}

#include "autograd/all.h"
#include "examples/published/published.h"
#include "nn/attention/multi_head.h"
#include "nn/attention/scores/scaled_dot_product.h"
#include "nn/layers/activations.h"
#include "nn/layers/linear.h"
#include "nn/layers/sequential.h"
#include "nn/losses.h"
#include "nn/optim/adam.h"
#include "nn/optim/sgd.h"
#include "nn/tools/watch/warnings.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

// Some steps in which the squares of what the model returns are made smaller.
template <class M>
void teach(M& model, Watch& watch, const Variable& x, double learning_rate) {
  optim::SGD optimizer(model, {.learning_rate = learning_rate});
  for (int i = 0; i < 4; ++i) {
    watch.before_forward();
    const Variable loss = mean(square(model(x)));
    optimizer.zero_grad();
    loss.backward();
    watch.before_step();
    optimizer.step();
    watch.after_step();
  }
}

template <class M>
std::vector<std::string> warnings_of(M& model, const Variable& x) {
  Watch watch(model, {.every = 1});
  teach(model, watch, x, 1e-12);
  return warnings(watch);
}

// A stack of layers whose weights keep the size of what goes through, times a factor.
struct Stack {
  std::vector<Linear> layers;

  Stack(int depth, double factor, Generator& g) {
    for (int i = 0; i < depth; ++i) {
      Linear layer({.in = 16, .out = 16, .dtype = DType::f64}, g);
      assign(layer.weight, noise({16, 16}, static_cast<std::uint64_t>(10 + i)) * (factor / 4));
      layers.push_back(layer);
    }
  }
  void visit(Visitor& v) { v("layers", layers); }
  Variable operator()(const Variable& x) const {
    Variable y = x;
    for (const Linear& layer : layers) y = leaky_relu(layer(y), 0.9);
    return y;
  }
};

struct Reader {
  MultiHeadAttention look;

  explicit Reader(Generator& g) : look(ScaledDotProduct{}, {.model = 4, .heads = 2, .dtype = DType::f64}, g) {}
  void visit(Visitor& v) { v("look", look); }
  Variable operator()(const Variable& x) { return look(x, x, x).output; }
};

// Large enough that a head does not look at all keys alike.
void enlarge(Reader& reader) {
  for (Linear* one : {&reader.look.w_q, &reader.look.w_k}) assign(one->weight, one->weight.value() * 4);
}

// The rows [2h, 2h + 2) of a matrix are the head h.
Tensor with_rows(const Tensor& matrix, int h, const Tensor& rows) {
  return h == 0 ? cat({rows, slice(matrix, 0, 2)}, 0) : cat({slice(matrix, 0, 0, 2), rows}, 0);
}

}  // namespace

TEST_CASE("watch: units that are never above 0 are told, and those of a healthy model are not") {
  Generator g(1);
  Sequential model{Linear({.in = 4, .out = 10, .dtype = DType::f64}, g), ReLU{},
                   Linear({.in = 10, .out = 1, .dtype = DType::f64}, g)};
  const Variable x = noise({64, 4}, 2);
  CHECK(warnings_of(model, x).empty());
  Linear& first = std::get<0>(model.layers);
  const Tensor bias = first.bias.value();
  assign(first.bias, cat({full({3}, -100, DType::f64), slice(bias, 0, 3)}, 0));
  const auto found = warnings_of(model, x);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0],
             StartsWith("dead units: 3 of 10 of '0: relu' were 0 in all 128 values that were seen at the last "
                        "2 steps looked at."));
}

TEST_CASE("watch: a unit that dies while it learns is told, and one that comes to life is not") {
  const auto step = [](const std::vector<double>& alive) {
    WatchedStep one;
    one.activations = {{.name = "relu", .alive = tensor(alive, {std::ssize(alive)}), .alive_rows = 100}};
    return one;
  };
  const std::vector<WatchedStep> dies{step({1, 1, 1}), step({1, 1, 1}), step({1, 0, 1}), step({1, 0, 1})};
  REQUIRE(dead_units(dies).size() == 1);
  CHECK_THAT(dead_units(dies)[0], StartsWith("dead units: 1 of 3 of 'relu' were 0 in all 200 values"));
  const std::vector<WatchedStep> awakes{step({0, 1, 1}), step({0, 1, 1}), step({0, 1, 1}), step({1, 1, 1})};
  CHECK(dead_units(awakes).empty());
  const auto one_dead_of = [&](std::size_t units) {
    std::vector<double> alive(units, 1);
    alive[0] = 0;
    return dead_units({2, step(alive)});
  };
  CHECK(one_dead_of(20).size() == 1);
  CHECK(one_dead_of(21).empty());  // fewer than a twentieth
}

TEST_CASE("watch: gradients that vanish or explode from layer to layer are told, and steady ones are not") {
  Generator g(1);
  const Variable x = noise({32, 16}, 2);
  Stack steady(8, 1, g), small(8, 0.2, g), large(8, 5, g);
  CHECK(warnings_of(steady, x).empty());
  const auto falls = warnings_of(small, x);
  REQUIRE(falls.size() == 1);
  CHECK_THAT(
      falls[0],
      StartsWith("vanishing gradients: from 'layers.7: leaky_relu' back to 'layers.0: leaky_relu' their size falls"));
  const auto rises = warnings_of(large, x);
  REQUIRE(rises.size() == 1);
  CHECK_THAT(
      rises[0],
      StartsWith("exploding gradients: from 'layers.7: leaky_relu' back to 'layers.0: leaky_relu' their size rises"));
}

TEST_CASE("watch: a stack inside a numbered part is judged, too") {
  Generator g(1);
  Sequential model{Stack(8, 0.2, g), Linear({.in = 16, .out = 1, .dtype = DType::f64}, g)};
  const auto falls = warnings_of(model, noise({32, 16}, 2));
  REQUIRE(falls.size() == 1);
  CHECK_THAT(falls[0],
             StartsWith("vanishing gradients: from '0.layers.7: leaky_relu' back to '0.layers.0: leaky_relu'"));
}

TEST_CASE("watch: a training that is not finite is told first, and where it began") {
  Generator g(1);
  Sequential model{Linear({.in = 16, .out = 32}, g), ReLU{}, Linear({.in = 32, .out = 1}, g)};
  Watch watch(model, {.every = 1});
  teach(model, watch, to(noise({8, 16}, 2), DType::f32), 1e200);
  CHECK_THAT(line_of(watch.steps()[0]), StartsWith("step 1: gradient"));
  CHECK(line_of(watch.steps()[1]) == "step 2: NaN or infinity, first in the parameter '0.weight'");
  const std::vector<std::string> found = warnings(watch);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0],
             StartsWith("not finite: at step 2 there is a NaN or an infinity, first in the parameter '0.weight'."));
}

TEST_CASE("watch: where a step is not finite is told on the way forward, and then back; a mask is no fault") {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto step = [] {
    WatchedStep one{.step = 1};
    one.parameters = {{.name = "w"}, {.name = "b"}};
    one.activations = {{.name = "first"}, {.name = "second"}};
    return one;
  };
  WatchedStep one = step();
  one.activations[0].spread.mean = -infinity;
  CHECK_FALSE(not_finite(one));
  one.parameters[1].gradient = infinity;
  CHECK(*not_finite(one) == "the gradient of 'b'");
  for (WatchedActivation& each : one.activations) each.squared_gradient = infinity;
  CHECK(*not_finite(one) == "the gradient that arrives at 'second'");
  for (WatchedActivation& each : one.activations) each.spread.mean = std::nan("");
  CHECK(*not_finite(one) == "what 'first' returns");
}

TEST_CASE("watch: the factor from layer to layer is the one counted by hand") {
  const auto steps = [](const std::vector<double>& sizes) {
    WatchedStep step{.step = 1};
    for (std::size_t i = 0; i < sizes.size(); ++i)
      step.activations.push_back({.name = fmt::format("m.{}: linear", 2 * i),
                                  .spread = {.count = 4},
                                  .squared_gradient = 4 * sizes[i] * sizes[i]});
    return std::vector<WatchedStep>{step};
  };
  CHECK(uneven_layers(steps({1, 10, 99})).empty());
  CHECK(uneven_layers(steps({1, 1000})).empty());  // of two layers nothing is said
  CHECK(uneven_layers(steps({0, 0, 0})).empty());
  const auto falls = uneven_layers(steps({1, 7, 400}));
  REQUIRE(falls.size() == 1);
  CHECK_THAT(
      falls[0],
      StartsWith("vanishing gradients: from 'm.4: linear' back to 'm.0: linear' their size falls from 4e+02 to 1, by "
                 "a factor of 20 from layer to layer."));
  CHECK_THAT(uneven_layers(steps({400, 7, 1})).at(0),
             StartsWith("exploding gradients: from 'm.4: linear' back to 'm.0: linear' "
                        "their size rises from 1 to 4e+02, by a factor of 20"));
  CHECK_THAT(uneven_layers(steps({0, 0, 400})).at(0),
             StartsWith("vanishing gradients: from 'm.4: linear' back to 'm.0: linear' "
                        "their size falls from 4e+02 to 0. What usually helps"));
  CHECK_THAT(uneven_layers(steps({1e-60, 1e-55, 1e-50})).at(0), ContainsSubstring("by a factor of 1e+05"));
}

TEST_CASE("watch: a head that attends to one token only is told, and one that does not is not") {
  Generator g(1);
  Reader reader(g);
  enlarge(reader);
  const Tensor x = noise({2, 6, 4}, 3);
  const Tensor marked = to(equal(arange(24, DType::f64), 8.0), DType::f64);  // feature 0 of token 2
  const Variable input(where(reshape(marked, {6, 4}), 9.0, x));
  CHECK(warnings_of(reader, Variable(x)).empty());
  auto& p = reader.look;
  assign(p.w_q.weight, with_rows(p.w_q.weight.value(), 1, zeros({2, 4}, DType::f64)));
  assign(p.w_q.bias, tensor({0, 0, 10, 0}, DType::f64));
  assign(p.w_k.weight, with_rows(p.w_k.weight.value(), 1, tensor({1, 0, 0, 0, 0, 0, 0, 0}, {2, 4}, DType::f64)));
  const auto found = warnings_of(reader, input);
  REQUIRE(found.size() >= 1);
  CHECK_THAT(found.back(),
             StartsWith("one token: head 1 of 'look' gives 100 % of its weight to key 2, whatever the query; "
                        "so it was at each of the last 2 steps looked at."));
}

TEST_CASE("watch: heads that look alike are told") {
  Generator g(1);
  Reader reader(g);
  enlarge(reader);
  const Variable x = noise({2, 6, 4}, 3);
  auto& p = reader.look;
  for (Linear* one : {&p.w_q, &p.w_k}) {
    assign(one->weight, with_rows(one->weight.value(), 1, slice(one->weight.value(), 0, 0, 2)));
    assign(one->bias, zeros({4}, DType::f64));
  }
  const auto found = warnings_of(reader, x);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], StartsWith("alike: heads 0 and 1 of 'look' look at the same keys: only ") &&
                           ContainsSubstring("at each of the last 2 steps"));
}

TEST_CASE("watch: of a small healthy GPT there is nothing to warn of") {
  Generator g(1);
  Gpt model = make_gpt({.model = 16, .layers = 3, .heads = 2, .vocabulary = 9, .longest = 8}, g);
  optim::Adam optimizer(model, {.learning_rate = 1e-2});
  Watch watch(model, {.every = 5});
  const Tensor text = randint({8, 8}, g, 0, 9);
  for (int i = 0; i < 20; ++i) {
    watch.before_forward();
    const Variable loss = cross_entropy_loss(slice(model(text), 1, 0, -1), slice(text, 1, 1));
    optimizer.zero_grad();
    loss.backward();
    watch.before_step();
    optimizer.step();
    watch.after_step();
  }
  CHECK(watch.steps().size() == 5);
  CHECK(warnings(watch).empty());
}

}  // namespace regard::nn

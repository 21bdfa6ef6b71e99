#include "nn/tools/view/recording.h"
#include "nn/tools/watch/warnings.h"

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
#include "tests/catch.h"
#include "tests/given.h"

#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

template <class List>
const auto& named(const List& list, std::string_view name) {
  for (const auto& one : list)
    if (one.name == name) return one;
  fail<ValueError>("there is no '{}'", name);
}

// So many steps on one batch, whatever is returned for it is made small.
template <class M, class Run>
void teach(M& model, Watch& watch, int steps, const Run& run) {
  optim::SGD optimizer(model, {.learning_rate = 1e-4});
  for (int i = 0; i < steps; ++i) {
    watch.before_forward();
    const Variable loss = sum(square(run(model)));
    optimizer.zero_grad();
    loss.backward();
    watch.before_step();
    optimizer.step();
    watch.after_step();
  }
}

}  // namespace

TEST_CASE("watch: how numbers lie, alone and together, is what is counted by hand") {
  const Spread spread = spread_of(tensor({0, 0, 2, 4}));
  CHECK(spread.count == 4);
  CHECK(spread.mean == 1.5);
  CHECK(spread.variance == 2.75);  // (2.25 + 2.25 + 0.25 + 6.25)/4
  CHECK(spread.zeros == 0.5);
  Spread parts = spread_of(tensor({0, 4}));
  parts.add({});
  parts.add(spread_of(tensor(std::vector<double>{2}, {1})));
  parts.add(spread_of(tensor(std::vector<double>{0}, {1})));
  CHECK(parts.count == 4);
  CHECK(parts.mean == Approx(1.5));
  CHECK(parts.variance == Approx(2.75));
  CHECK(parts.zeros == Approx(0.5));
  CHECK(length_of(tensor({3, 4})) == 5);
  for (const double unit : {1e-25, 1e25}) {  // whose square is 0 in f32, and ∞
    CHECK(length_of(tensor({3 * unit, 4 * unit})) == Approx(5 * unit));
    CHECK(spread_of(tensor({3 * unit, 5 * unit})).deviation() == Approx(unit));
  }
}

TEST_CASE("watch: a parameter is told with its gradient, and with the size of its step") {
  Generator g(1);
  Linear model({.in = 2, .out = 1, .bias = false}, g);
  assign(model.weight, tensor({3, 4}, {1, 2}));
  optim::SGD optimizer(model, {.learning_rate = 0.5});
  Watch watch(model);
  watch.before_forward();
  sum(model(Variable(tensor({0, 2}, {1, 2})))).backward();  // the gradient is (0, 2), the weight becomes (3, 3)
  watch.before_step();
  optimizer.step();
  REQUIRE(watch.after_step());
  const WatchedParameter& weight = watch.steps()[0].parameters.at(0);
  CHECK(weight.name == "weight");
  CHECK(weight.spread.mean == 3.5);
  CHECK(weight.gradient == Approx(2));
  CHECK(weight.gradient_size() == Approx(std::sqrt(2)));
  CHECK(weight.update == Approx(0.2));  // 1/√(3² + 4²)
  CHECK_THAT(line_of(watch.steps()[0]), Catch::Matchers::StartsWith("step 1: gradient 2; update/weight 0.2"));
}

TEST_CASE("watch: activations are named after module and operation, and counted by hand") {
  Generator g(1);
  Sequential model{Linear({.in = 1, .out = 2}, g), ReLU{}, Linear({.in = 2, .out = 1}, g), Tanh{}};
  auto& first = std::get<0>(model.layers);
  auto& second = std::get<2>(model.layers);
  assign(first.weight, tensor({1, -1}, {2, 1}));
  assign(first.bias, tensor({0, 0}));
  assign(second.weight, tensor({-100, 0.001}, {1, 2}));
  assign(second.bias, tensor(std::vector<double>{0}, {1}));
  Watch watch(model);
  teach(model, watch, 1, [](auto& m) { return m(Variable(tensor({1, 2, 3, -4}, {4, 1}))); });
  const std::vector<WatchedActivation>& all = watch.steps().at(0).activations;
  REQUIRE(all.size() == 4);
  CHECK(named(all, "0: linear").spread.mean == 0);
  const WatchedActivation& relu = named(all, "0: relu");  // (1, 2, 3, 0) and (0, 0, 0, 4)
  CHECK(relu.spread.zeros == 0.5);
  CHECK(relu.spread.mean == Approx(1.25));
  CHECK_FALSE(relu.has_ends);
  const WatchedActivation& tanh = named(all, "2: tanh");  // of −100, −200, −300 and 0.004
  CHECK(tanh.has_ends);
  CHECK(tanh.saturated == 0.75);
  CHECK(tanh.gradient_size() == Approx(std::sqrt(3.0)).epsilon(1e-4));  // of ∂Σy²/∂y = 2y, of which there are four
}

TEST_CASE("watch: a number is saturated within a hundredth of its end") {
  const ParameterNames names;
  ActivationWatch seen(names);
  const Variable x = parameter(tensor({2.5, 2.6, 2.7, 2.8}));  // tanh of them: 0.9866, 0.9890, 0.9910, 0.9926
  const Variable y = tanh(x);
  CHECK(named(seen.found(), "tanh").saturated == 0.5);
}

TEST_CASE("watch: the gradient of an activation is told, however small it is") {
  const Variable weight = parameter(tensor({1, 0, 0, 1}, {2, 2}));
  const ParameterNames names({{"0.weight", weight}});
  const ActivationWatch watch(names);
  const Variable y = linear(Variable(tensor({1, 1}, {1, 2})), weight);
  y.backward({.gradient = Variable(tensor({3e-25, 4e-25}, {1, 2}))});
  CHECK(named(watch.found(), "0: linear").squared_gradient == Approx(25e-50));
}

TEST_CASE("watch: a unit that was alive once in a step is alive") {
  Generator g(1);
  Linear model({.in = 1, .out = 3}, g);
  assign(model.weight, tensor({1, -1, 0}, {3, 1}));
  assign(model.bias, tensor({0, 0, -1}));
  const ParameterNames names(named_parameters(model));
  const ActivationWatch watch(names);
  for (const double x : {2.0, -2.0}) relu(model(Variable(tensor({x, x}, {2, 1}))));  // the first, and then the second
  const auto all = watch.found();
  CHECK(to_vector(named(all, "relu").alive) == std::vector<double>{1, 1, 0});
  CHECK(named(all, "relu").alive_rows == 4);
  relu(parameter(ones({5, 2})));  // of another shape, under the same name
  CHECK(named(watch.found(), "relu").alive_rows == 4);
  CHECK(named(watch.found(), "relu").spread.count == 22);
  CHECK(!named(all, "linear").alive.defined());
}

TEST_CASE("watch: a layer that ends in relu(h + f(h)) has a name of its own") {
  std::vector<NamedParameter> list;
  for (const double slope : {1, 1, -3}) {  // of the second unit; h becomes (2, 2), (4, 4), and (8, 4 − 12)
    const Variable weight = parameter(tensor({1, 0, 0, slope}, {2, 2}));
    list.push_back({fmt::format("layers.{}.weight", list.size()), weight});
  }
  const ParameterNames names(list);
  const ActivationWatch watch(names);
  Variable h(tensor({1, 1}, {1, 2}));
  for (const auto& [name, weight] : list) h = relu(h + linear(h, weight));
  const auto all = watch.found();
  CHECK(to_vector(named(all, "layers.0: relu").alive) == std::vector<double>{1, 1});
  CHECK(to_vector(named(all, "layers.1: relu").alive) == std::vector<double>{1, 1});
  CHECK(to_vector(named(all, "layers.2: relu").alive) == std::vector<double>{1, 0});
}

TEST_CASE("watch: units of an image are its channels, and else the last axis") {
  const ParameterNames names;
  const ActivationWatch images(names);
  relu(parameter(tensor({1, 1, -1, 1, -1, -1, -1, -1, 2, 2, 2, 2}, {1, 3, 2, 2})));
  CHECK(to_vector(named(images.found(), "relu").alive) == std::vector<double>{1, 0, 1});
  const ActivationWatch sequences(names);
  relu(parameter(tensor({1, -1, -1, -1, 2, -1}, {1, 3, 2})));
  CHECK(to_vector(named(sequences.found(), "relu").alive) == std::vector<double>{1, 0});
}

TEST_CASE("watch: it looks at the first step and at every so many") {
  Generator g(1);
  Linear model({.in = 1, .out = 1}, g);
  Watch watch(model, {.every = 3});
  teach(model, watch, 7, [](auto& m) { return m(Variable(tensor({1}, {1, 1}))); });
  REQUIRE(watch.steps().size() == 3);
  CHECK(watch.steps()[0].step == 1);
  CHECK(watch.steps()[1].step == 3);
  CHECK(watch.steps()[2].step == 6);
  CHECK_THROWS_WITH(Watch(model, {.every = 0}), ContainsSubstring("Watch: every = 0: it needs 1 or more"));
}

TEST_CASE("watch: when it does not look nobody watches") {
  Generator g(1);
  Linear model({.in = 1, .out = 1}, g);
  {
    Watch watch(model, {.every = 2});
    watch.before_forward();
    CHECK(newest_observer != nullptr);
    CHECK(is_watched());
    watch.before_step();
    CHECK(newest_observer == nullptr);
    CHECK(!is_watched());
    watch.before_forward();  // the step was never made
    watch.before_forward();  // step 3
    CHECK(newest_observer == nullptr);
    CHECK_FALSE(watch.after_step());
    CHECK(watch.steps().empty());
    watch.before_forward();
  }
  CHECK(newest_observer == nullptr);
  CHECK(!is_watched());
}

TEST_CASE("watch: two that end in the order in which they began see the same, and leave nobody behind") {
  Generator g(1);
  MultiHeadAttention model(ScaledDotProduct{}, {.model = 4, .heads = 2, .dtype = DType::f64}, g);
  const Variable x = noise({2, 3, 4}, 2);
  Watch first(model), second(model);
  first.before_forward();
  second.before_forward();
  sum(square(model(x, x, x).output)).backward();
  first.before_step();
  CHECK(newest_observer != nullptr);
  model(x, x, x);
  second.before_step();
  CHECK(newest_observer == nullptr);
  CHECK(!is_watched());
  model(x, x, x);
  REQUIRE(first.after_step());
  REQUIRE(second.after_step());
  const WatchedStep &one = first.steps()[0], &other = second.steps()[0];
  REQUIRE(one.activations.size() == 5);  // four linear, one softmax
  REQUIRE(other.activations.size() == 5);
  CHECK(other.activations[0].spread.count == 2 * one.activations[0].spread.count);  // it saw two runs
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(one.activations[i].squared_gradient > 0);
    CHECK(other.activations[i].squared_gradient == one.activations[i].squared_gradient);  // one of them went backward
  }
  CHECK(one.heads.size() == 2);
  CHECK(other.heads.size() == 2);
}

TEST_CASE("watch: of several observers the one that began last changes a value first") {
  struct Line : Observer {  // y becomes slope · y + shift
    Line(double slope, double shift) : slope_(slope), shift_(shift) {}
    Tensor value(const OpInfo&, const graph::Inputs&, const Tensor& value) override { return value * slope_ + shift_; }
    void recorded(const Variable& result) override { told = result.value().item(); }
    double told = 0, slope_, shift_;
  };
  const Variable x = parameter(full({}, 3, DType::f64));
  auto outer = std::make_unique<Line>(10, 0);
  Line middle(1, 1), inner(2, 0);
  CHECK(square(x).item() == 190);  // ((9 · 2) + 1) · 10
  CHECK(outer->told == 190);
  CHECK(middle.told == 190);
  CHECK(inner.told == 190);
  outer.reset();
  CHECK(square(x).item() == 19);
}

TEST_CASE("watch: where heads look is what is counted by hand") {
  Recording recording;
  recording.add(
      {.step = "look", .name = "a", .weights = tensor({0.5, 0.5, 0, 0.25, 0.25, 0.5, 1, 0, 0, 1, 0, 0}, {2, 2, 3})});
  const std::vector<WatchedHead> heads = watched_heads(recording);
  REQUIRE(heads.size() == 2);
  CHECK(heads[0].one_key == Approx(0.375));
  CHECK(heads[0].evenness == Approx(1.0 / 12));
  CHECK(heads[0].twin == 1);
  CHECK(heads[0].distance == Approx(0.625));
  CHECK(heads[1].one_key == 1);
  CHECK(heads[1].key == 0);
  CHECK(heads[1].evenness == Approx(7.0 / 12));
  CHECK(heads[1].keys == 3);
  CHECK(heads[1].queries == 2);
  recording.add({.step = "look", .name = "b", .weights = tensor({1, 0, 0, 1, 0.5, 0.5}, {1, 3, 2})});
  CHECK(watched_heads(recording).back().queries == 3);
}

TEST_CASE("watch: a training is the same with and without, bit by bit") {
  for (const Method method : {Method::composed, Method::fused}) {
    const auto trained = [method](bool watched) {
      Generator g(1);
      Gpt model = make_gpt(
          {.model = 8, .layers = 2, .heads = 2, .vocabulary = 9, .longest = 6, .dropout = 0.2, .method = method}, g);
      optim::Adam optimizer(model, {.learning_rate = 1e-2});
      Watch watch(model, {.every = 2});
      const Tensor text = to(tensor({3, 1, 4, 1, 5, 2, 7, 1, 8, 2}, {2, 5}), DType::i64);
      for (int i = 0; i < 5; ++i) {
        if (watched) watch.before_forward();
        const Variable loss = cross_entropy_loss(slice(model(text), 1, 0, -1), slice(text, 1, 1));
        optimizer.zero_grad();
        loss.backward();
        if (watched) watch.before_step();
        optimizer.step();
        if (watched) watch.after_step();
      }
      if (watched) {
        REQUIRE(watch.steps().size() == 3);
        CHECK(watch.steps()[2].heads.size() == 4);
        CHECK(watch.steps()[2].heads[3].name == "decoder.layers.1.attention");
      }
      return parameters(model);
    };
    const std::vector<Variable> plain = trained(false), watched = trained(true);
    REQUIRE(plain.size() == watched.size());
    for (std::size_t i = 0; i < plain.size(); ++i) CHECK(identical(plain[i].value(), watched[i].value()));
  }
}

TEST_CASE("watch: the line of a step tells the length of all gradients, and what is largest of each kind") {
  WatchedStep step{.step = 25,
                   .parameters = {{.name = "a", .rank = 2, .gradient = 3, .update = 0.25},
                                  {.name = "b", .rank = 1, .gradient = 4, .update = 8},  // a bias does not count
                                  {.name = "c", .rank = 2, .update = 0.5},
                                  {.name = "d", .rank = 2, .update = 0.125}}};
  CHECK(line_of(step) == "step 25: gradient 5; update/weight 0.25, most 0.5 (c)");
  step.parameters.clear();
  step.activations = {{.name = "e", .spread = {.zeros = 0.004}},
                      {.name = "f", .spread = {.zeros = 0.006}, .saturated = 0.25, .has_ends = true},
                      {.name = "g", .saturated = 0.5}};  // has no ends
  CHECK(line_of(step) == "step 25: gradient 0; zeros 0.6 % (f); saturated 25 % (f)");
  step.activations.clear();
  step.heads = {{.name = "h", .head = 1, .one_key = 0.75}, {.name = "i", .head = 2, .one_key = 0.5}};
  CHECK(line_of(step) == "step 25: gradient 0; most on one key 75 % (head 1 of h)");
}

}  // namespace regard::nn

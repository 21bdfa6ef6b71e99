#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <memory>

namespace regard::optim {

using Catch::Matchers::ContainsSubstring;

namespace {

// One step with the gradient that 'slope' says.
void step(Optimizer& optimizer, Variable& w, const Nested& slope) {
  optimizer.zero_grad();
  sum(w * Variable(f64(slope))).backward();
  optimizer.step();
}

std::vector<std::string> state_names(Optimizer& optimizer) {
  struct Names : nn::Visitor {
    std::vector<std::string> list;
    void on_buffer(const std::string& path, Tensor&) override { list.push_back(path); }
    void on_counter(const std::string& path, std::int64_t&) override { list.push_back(path); }
  } names;
  optimizer.visit(names);
  return names.list;
}

}  // namespace

TEST_CASE("SGD: by hand, plain, with decay and with momentum") {
  Variable w = parameter(f64({1, 2})), d = parameter(f64({10})), m = parameter(f64({0}));
  SGD plain({w}, {.learning_rate = 0.5});
  step(plain, w, {2, -4});
  CHECK(identical(w.value(), f64({0, 4})));
  SGD decay({d}, {.learning_rate = 0.5, .weight_decay = 0.25});  // 10 − ½·(1 + 2.5)
  step(decay, d, {1});
  CHECK(identical(d.value(), f64({8.25})));
  SGD momentum({m}, {.learning_rate = 1, .momentum = 0.5});  // v = 4, then 2 + 8
  step(momentum, m, {4});
  step(momentum, m, {8});
  CHECK(identical(m.value(), f64({-14})));
}

TEST_CASE("Adam: the first step is the learning rate, whatever the size of the gradient") {
  Variable w = parameter(f64({1, 1}));
  Adam adam({w}, {.learning_rate = 0.5, .epsilon = 0});
  step(adam, w, {1e-5, -1e5});
  CHECK(allclose(w.value(), f64({0.5, 1.5}), 1e-12, 0));
}

TEST_CASE("AdamW: the decay does not go through the averages") {
  Variable w = parameter(f64({10}));
  AdamW adam({w}, {.learning_rate = 0.5, .epsilon = 0, .weight_decay = 0.1});
  step(adam, w, {1e-5});
  CHECK(w.item() == Approx(10 * (1 - 0.05) - 0.5).epsilon(1e-12));
}

TEST_CASE("RMSprop: by hand") {
  Variable r = parameter(f64({0})), m = parameter(f64({0}));
  RMSprop rmsprop({r}, {.learning_rate = 1, .smoothing = 0.75, .epsilon = 0});  // s = 4, then 3 + 16/4: 4/2, 4/√7
  step(rmsprop, r, {4});
  step(rmsprop, r, {4});
  CHECK(r.item() == Approx(-2 - 4 / std::sqrt(7)).epsilon(1e-15));
  RMSprop heavy({m}, {.learning_rate = 1, .smoothing = 0.75, .epsilon = 0, .momentum = 0.5});  // v = 2, 1 + 4/√7
  step(heavy, m, {4});
  step(heavy, m, {4});
  CHECK(m.item() == Approx(-3 - 4 / std::sqrt(7)).epsilon(1e-15));
}

TEST_CASE("optimisers: without decay the size of a weight does not matter, even if it is infinite") {
  Variable w = parameter(f64({inf})), r = parameter(f64({inf}));
  SGD sgd({w}, {.learning_rate = 0.5});
  RMSprop rmsprop({r}, {.learning_rate = 0.5});
  for (const auto& [optimizer, x] : std::vector<std::pair<Optimizer*, Variable*>>{{&sgd, &w}, {&rmsprop, &r}}) {
    optimizer->zero_grad();
    sum(where(zeros({1}, DType::f64), *x, 0)).backward();  // the gradient is 0
    optimizer->step();
    CHECK(x->value().item() == inf);
  }
}

TEST_CASE("optimisers: a parameter without gradient stays, and is not counted as having made a step") {
  Variable moved = parameter(f64({1})), other = parameter(f64({1}));
  const AdamOptions options{.learning_rate = 0.1, .epsilon = 0};
  Adam adam({moved, other}, options);
  step(adam, moved, {1});
  CHECK(other.item() == 1);
  step(adam, other, {1e-3});
  CHECK(other.item() == Approx(0.9).epsilon(1e-12));  // its first step, with the correction of a first step
  CHECK(adam.steps() == 2);
}

TEST_CASE("optimisers: what somebody else holds is not changed, and what nobody does is not copied") {
  Variable w = parameter(f64({1, 2, 3}));
  Adam adam({w});
  const Tensor before = w.value();
  step(adam, w, {1, 1, 1});
  CHECK(identical(before, f64({1, 2, 3})));
  const double* place = w.value().data<double>();
  step(adam, w, {1, 1, 1});
  CHECK(w.value().data<double>() == place);
}

TEST_CASE("optimisers: a graph that was recorded before a step refuses to run after it") {
  Variable w = parameter(f64({1}));
  SGD sgd({w});
  const Variable early = sum(w * w);
  step(sgd, w, {1});
  CHECK_THROWS_AS(early.backward(), ValueError);
}

TEST_CASE("optimisers: list what they remember") {
  const std::vector<Variable> two{parameter(f64({1})), parameter(f64({2}))};
  SGD plain(two), momentum(two, {.momentum = 0.9});
  Adam adam(two);
  RMSprop rmsprop(two);
  CHECK(state_names(plain) == std::vector<std::string>{"steps"});
  CHECK(state_names(momentum) == std::vector<std::string>{"steps", "velocity.0", "velocity.1"});
  CHECK(state_names(adam) ==
        std::vector<std::string>{"steps", "mean.0", "mean.1", "square.0", "square.1", "times.0", "times.1"});
  CHECK(state_names(rmsprop) == std::vector<std::string>{"steps", "square.0", "square.1"});
}

TEST_CASE("optimisers: each finds the bottom of a bowl") {
  const Tensor bottom = f64({1, -2, 0.5});
  const auto distance = [&](auto make, int steps) {
    Variable w = parameter(zeros({3}, DType::f64));
    auto optimizer = make(std::vector<Variable>{w});
    for (int t = 0; t < steps; ++t) {
      optimizer.zero_grad();
      sum(Variable(f64({1, 2, 4})) * square(w - Variable(bottom))).backward();
      optimizer.step();
    }
    return largest_difference(w.value(), bottom);
  };
  CHECK(distance([](auto p) { return SGD(p, {.learning_rate = 0.1}); }, 200) < 1e-6);
  CHECK(distance([](auto p) { return SGD(p, {.learning_rate = 0.02, .momentum = 0.8}); }, 200) < 1e-6);
  CHECK(distance([](auto p) { return Adam(p, {.learning_rate = 0.1}); }, 500) < 1e-3);
  CHECK(distance([](auto p) { return RMSprop(p, {.learning_rate = 0.001}); }, 4000) < 1e-2);
}

TEST_CASE("optimisers: each group moves at its rate and has its decay") {
  Variable slow = parameter(f64({1})), fast = parameter(f64({1})), kept = parameter(f64({1}));
  SGD optimizer({{.parameters = {slow}, .times_learning_rate = 0.5},
                 {.parameters = {fast}, .times_learning_rate = 2},
                 {{kept}, 1, 0.0}},
                {.learning_rate = 0.25, .weight_decay = 0.5});
  optimizer.zero_grad();
  sum(slow * 2 + fast * 2 + kept * 2).backward();
  optimizer.step();  // the slope is 2, and half the weight where it decays
  CHECK(slow.item() == 1 - 0.125 * 2.5);
  CHECK(fast.item() == 1 - 0.5 * 2.5);
  CHECK(kept.item() == 1 - 0.25 * 2);
}

TEST_CASE("optimisers: groups are what separate optimisers would do, for every kind") {
  const auto compare = [](auto together, auto apart, auto options) {
    const Variable a = parameter(f64({1, 2})), b = parameter(f64({3})), c = parameter(f64({1, 2})),
                   d = parameter(f64({3}));
    auto one = together({a}, {b}, options);
    auto other = options;
    options.learning_rate *= 0.5;
    other.weight_decay = 0.3;
    auto first = apart(c, options), second = apart(d, other);
    for (int i = 0; i < 4; ++i) {
      one.zero_grad();
      first.zero_grad();
      second.zero_grad();
      (sum(sin(a)) * sum(b) + sum(sin(c)) * sum(d)).backward();
      one.step();
      first.step();
      second.step();
    }
    CHECK(identical(a.value(), c.value()));
    CHECK(identical(b.value(), d.value()));
  };
  const auto both = [&]<class Kind>(std::type_identity<Kind>, auto options) {
    compare(
        [](const ParameterList& a, const ParameterList& b, auto o) {
          return Kind({{.parameters = a, .times_learning_rate = 0.5}, {.parameters = b, .weight_decay = 0.3}}, o);
        },
        [](const Variable& x, auto o) { return Kind({x}, o); }, options);
  };
  both(std::type_identity<SGD>{}, SGDOptions{.momentum = 0.5, .weight_decay = 0.1});
  both(std::type_identity<Adam>{}, AdamOptions{.weight_decay = 0.1});
  both(std::type_identity<AdamW>{}, AdamOptions{});
  both(std::type_identity<RMSprop>{}, RMSpropOptions{.momentum = 0.5, .weight_decay = 0.1});
}

TEST_CASE("optimisers: what was made before a model is converted says so") {
  Generator g(1);
  nn::Linear layer({.in = 2, .out = 1}, g);
  const ParameterGroups groups(layer);
  Adam adam(groups);
  SGD plain(groups, {.learning_rate = 1}), heavy(groups, {.learning_rate = 1, .momentum = 0.5});
  nn::convert(layer, DType::f64);
  sum(layer(ones({1, 2}, DType::f64))).backward();
  plain.step();  // remembers nothing of the parameters
  const char* advice =
      ": parameter 'weight' is f64 now, and f32 when the optimizer was made, which remembers numbers of it: first "
      "convert(model, dtype), then make the optimizer";
  CHECK_THROWS_WITH(adam.step(), "Adam" + std::string(advice));
  CHECK_THROWS_WITH(heavy.step(), "SGD" + std::string(advice));
}

TEST_CASE("optimisers: a parameter that would not move is named as its module names it") {
  Generator g(1);
  nn::Sequential net{nn::Linear({.in = 2, .out = 3}, g), nn::ReLU{}, nn::Linear({.in = 3, .out = 1}, g)};
  Adam whole(net, {.learning_rate = 0.5});
  const auto before = clone(net);
  sum(net(ones({1, 2}))).backward();
  whole.step();
  CHECK_FALSE(identical(net(ones({1, 2})).value(), clone(before)(ones({1, 2})).value()));
  nn::Linear layer({.in = 2, .out = 1}, g);
  layer.weight = layer.weight * 0.5;
  CHECK_THROWS_WITH(
      SGD(layer), ContainsSubstring("SGD: parameter 'weight' (1, 2) is the result of an operation with a plain number, "
                                    "such as x * 2 or x + 2, and would"));
  nn::Linear frozen({.in = 2, .out = 1}, g);
  frozen.bias = detach(frozen.bias);
  CHECK_THROWS_WITH(SGD({{.parameters = frozen}}, {}),
                    ContainsSubstring("SGD: parameter 'bias' (1) needs no gradient"));
  nn::Linear good({.in = 2, .out = 1}, g);
  CHECK_THROWS_WITH(SGD({{.parameters = good}, {.parameters = {good.weight}}}, {}),
                    ContainsSubstring("SGD: parameter 2 is parameter 'weight' again"));
  CHECK_THROWS_WITH(SGD({{.parameters = good, .times_learning_rate = -1}}, {}),
                    ContainsSubstring("SGD: times_learning_rate of a group = -1"));
}

}  // namespace regard::optim

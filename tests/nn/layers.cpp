#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {

TEST_CASE("Linear: each row of the weight is one output") {
  Generator g(1);
  Linear layer({.in = 2, .out = 3, .dtype = DType::f64}, g);
  assign(layer.weight, f64({{1, 2}, {3, 4}, {5, 6}}));
  assign(layer.bias, f64({0.5, 0, -1}));
  CHECK(identical(layer(f64({{1, -1}, {0, 1}})).value(), f64({{-0.5, -1, -2}, {2.5, 4, 5}})));
  CHECK(identical(layer(f64({1, -1})).value(), f64({-0.5, -1, -2})));
  CHECK(layer(zeros({0, 2}, DType::f64)).shape() == Shape{0, 3});
  CHECK(layer(zeros({4, 0, 2}, DType::f64)).shape() == Shape{4, 0, 3});
  CHECK(identical(layer(transpose(f64({{1, 0}, {-1, 1}}))).value(), layer(f64({{1, -1}, {0, 1}})).value()));
  CHECK(identical(layer(expand(f64({1, -1}), {2, 2})).value(), f64({{-0.5, -1, -2}, {-0.5, -1, -2}})));
}

TEST_CASE("Linear: without bias it lists none, and it starts from its generator, within 1/√in") {
  Generator g(5), same(5);
  Linear layer({.in = 16, .out = 100, .bias = false}, g);
  CHECK(named_parameters(layer).size() == 1);
  CHECK(parameter_count(layer) == 1600);
  CHECK(max(abs(layer.weight)).item() <= 0.25);
  CHECK(max(abs(layer.weight)).item() > 0.24);
  CHECK(identical(layer.weight.value(), Linear({.in = 16, .out = 100}, same).weight.value()));
}

TEST_CASE("Embedding: looks rows up, and is a Linear of one-hot vectors") {
  Generator g(1);
  Embedding table({.count = 5, .size = 3, .dtype = DType::f64}, g);
  const Tensor tokens = tensor({{4, 0}, {2, 4}}, DType::i64);
  const Variable rows = table(tokens);
  CHECK(rows.shape() == Shape{2, 2, 3});
  CHECK(identical(select(select(rows.value(), 0, 1), 0, 1), select(table.weight.value(), 0, 4)));
  CHECK(identical(rows.value(), matmul(one_hot(tokens, 5, DType::f64), table.weight.value())));
  CHECK(table(tensor(3, DType::i64)).shape() == Shape{3});
  CHECK(table(zeros({0, 7}, DType::i64)).shape() == Shape{0, 7, 3});
  CHECK(identical(table(transpose(tokens)).value(), transpose(rows.value(), 0, 1)));
  sum(rows).backward();  // a token that stands there twice is moved twice
  CHECK(identical(sum(table.weight.gradient().value(), 1), f64({3, 0, 3, 0, 6})));
}

TEST_CASE("LayerNorm: by hand, and blind to shifts") {
  LayerNorm norm({.size = 2, .epsilon = 3, .dtype = DType::f64});  // (1, 3): mean 2, variance 1, √(1 + 3) = 2
  CHECK(identical(norm(f64({{1, 3}})).value(), f64({{-0.5, 0.5}})));
  assign(norm.weight, f64({2, 4}));
  assign(norm.bias, f64({10, 20}));
  CHECK(identical(norm(f64({{1, 3}, {5, 7}})).value(), f64({{9, 22}, {9, 22}})));
  CHECK(norm(zeros({0, 2}, DType::f64)).shape() == Shape{0, 2});
  LayerNorm wide({.size = 50, .epsilon = 0, .dtype = DType::f64});
  const Variable y = wide(noise({3, 50}));
  CHECK(allclose(mean(y, -1).value(), zeros({3}, DType::f64), 0, 1e-14));
  CHECK(allclose(var(y, -1).value(), ones({3}, DType::f64), 1e-13, 0));
}

TEST_CASE("RMSNorm: by hand, and blind to scale") {
  RMSNorm norm({.size = 2, .epsilon = 0, .dtype = DType::f64});  // (1, 7): mean of squares 25
  CHECK(allclose(norm(f64({{1, 7}, {10, 70}})).value(), f64({{0.2, 1.4}, {0.2, 1.4}}), 1e-15, 0));
  RMSNorm with_epsilon({.size = 2, .epsilon = 11, .dtype = DType::f64});  // √(25 + 11) = 6
  assign(with_epsilon.weight, f64({6, 12}));
  CHECK(allclose(with_epsilon(f64({{1, 7}})).value(), f64({{1, 14}}), 1e-15, 0));
  CHECK(norm(zeros({0, 2}, DType::f64)).shape() == Shape{0, 2});
}

TEST_CASE("activations: are the functions they are named after") {
  const Variable x = noise({20});
  CHECK(identical(ReLU{}(x).value(), relu(x.value())));
  CHECK(identical(GELU{}(x).value(), gelu(x.value(), GeluForm::erf)));
  CHECK(identical(GELU{.form = GeluForm::tanh}(x).value(), gelu(x, GeluForm::tanh).value()));
  CHECK(identical(SiLU{}(x).value(), silu(x.value())));
  CHECK(identical(Tanh{}(x).value(), tanh(x.value())));
  CHECK(identical(Sigmoid{}(x).value(), sigmoid(x.value())));
}

TEST_CASE("Sequential: one after another, named by number") {
  Generator g(1);
  Sequential net{Linear({.in = 2, .out = 3}, g), Tanh{}, [](const Variable& x) { return 2.0 * x; },
                 Linear({.in = 3, .out = 1, .bias = false}, g)};
  const Tensor x = ones({4, 2});
  const auto& [first, middle, twice, last] = net.layers;
  CHECK(identical(net(Variable(x)).value(), last(2.0 * tanh(first(x))).value()));
  std::vector<std::string> names;
  for (const auto& [name, parameter] : named_parameters(net)) names.push_back(name);
  CHECK(names == std::vector<std::string>{"0.weight", "0.bias", "3.weight"});

  const auto constant = net;  // nothing in it has to change when it is used
  CHECK(identical(constant(Variable(x)).value(), net(Variable(x)).value()));
  Sequential words{Embedding({.count = 9, .size = 2}, g), net};
  CHECK(words(tensor({1, 8}, DType::i64)).shape() == Shape{2, 1});
  CHECK(parameter_count(words) == 18 + 9 + 3);
}

TEST_CASE("LayerNorm: epsilon is a number, and the bias may be left out") {
  CHECK_THROWS_WITH(LayerNorm({.size = 2, .epsilon = -1e-5}),
                    "LayerNorm: epsilon = -1e-05 must be finite, and 0 or more");
  CHECK_THROWS_AS(RMSNorm({.size = 2, .epsilon = NAN}), ValueError);
  LayerNorm none({.size = 4, .bias = false});
  CHECK(parameter_count(none) == 4);
}

TEST_CASE("feed-forward: SwiGLU by hand") {
  Generator g(1);
  FeedForward layer({.size = 2, .hidden = 1, .kind = FeedForwardKind::swiglu, .bias = false, .dtype = DType::f64}, g);
  assign(layer.gate->weight, f64({{1, 0}}));
  assign(layer.up.weight, f64({{0, 3}}));
  assign(layer.down.weight, f64({{1}, {-2}}));
  CHECK(allclose(layer(f64({0, 7})).value(), f64({0, 0}), 0, 0));  // the gate is shut
  const double open = 2 / (1 + std::exp(-2.0));                    // silu(2)
  CHECK(allclose(layer(f64({2, 7})).value(), f64({21 * open, -42 * open}), 1e-14, 0));
  CHECK_THROWS_WITH(FeedForward({.size = 0, .hidden = 1}, g), "FeedForward: size = 0 must be 1 or more");
}

}  // namespace regard::nn

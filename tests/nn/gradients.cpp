// Every module passes the gradient check, with respect to its input and its parameters.
#include "nn/all.h"
#include "tests/nn/gradcheck_module.h"

namespace regard::nn {

TEST_CASE("gradients: layers of weights") {
  Generator g(1);
  constexpr DType f64 = DType::f64;
  check_gradients("Linear", Linear({.in = 3, .out = 2, .dtype = f64}, g), {2, 2, 3});
  check_gradients("Linear, one row", Linear({.in = 3, .out = 2, .dtype = f64}, g), {1, 3});
  check_gradients("Linear, a vector", Linear({.in = 3, .out = 2, .bias = false, .dtype = f64}, g), {3});
  check_gradients("LayerNorm", LayerNorm({.size = 4, .dtype = f64}), {2, 4});
  check_gradients("RMSNorm", RMSNorm({.size = 4, .dtype = f64}), {2, 4});
  check_gradients("LayerNorm, no bias", LayerNorm({.size = 3, .bias = false, .dtype = f64}), {2, 2, 3});
  check_gradients("SwiGLU", FeedForward({.size = 3, .hidden = 4, .kind = FeedForwardKind::swiglu, .dtype = f64}, g),
                  {2, 3});
  check_gradients("Conv1d", Conv1d({.in = 2, .out = 2, .kernel = 2, .stride = 2, .padding = 1, .dtype = f64}, g),
                  {2, 2, 4});
  check_gradients("Conv2d", Conv2d({.in = 2, .out = 2, .kernel = {2, 1}, .padding = 1, .groups = 2, .dtype = f64}, g),
                  {1, 2, 3, 2});
  check_gradients("Embedding", Embedding({.count = 4, .size = 2, .dtype = f64}, g), {}, [](auto& layer, const auto&) {
    return layer(tensor({{0, 1, 3}, {2, 1, 1}}, DType::i64));
  });
}

TEST_CASE("gradients: the parameter that is off is named") {
  struct Forgetful {
    Linear linear;
    void visit(Visitor& v) { v("linear", linear); }
  };
  Generator g(1);
  const GradcheckReport report =
      gradcheck_module(Forgetful{Linear({.in = 3, .out = 2, .dtype = DType::f64}, g)},
                       {normal({2, 3}, g, 0, 1, DType::f64)}, [](Forgetful& m, const auto& in) {
                         m.linear.bias = detach(m.linear.bias);
                         return m.linear(in[0]);
                       });
  CHECK(report.verdict == gradchecks::Verdict::fail);
  CHECK(report.reason.starts_with("order 1, linear.bias element "));
}

TEST_CASE("gradients: a parameter that is listed under two names is one") {
  struct Tied {
    Linear in, out;
    void visit(Visitor& v) { v("in", in), v("again", in), v("out", out); }
  };
  Generator g(1);
  const LinearOptions square{.in = 2, .out = 2, .bias = false, .dtype = DType::f64};
  CHECK(gradcheck_module(Tied{Linear(square, g), Linear(square, g)}, {normal({2, 2}, g, 0, 1, DType::f64)},
                         [](Tied& m, const auto& x) { return m.in(tanh(m.out(m.in(x[0])))); })
            .passed());
}

TEST_CASE("gradients: layers without weights") {
  check_gradients("MaxPool2d", MaxPool2d({.kernel = 2, .stride = 1, .padding = 1}), {1, 2, 3, 3});
  check_gradients("Dropout", Dropout(0.5, 3), {3, 4});
  check_gradients("ReLU", ReLU{}, {5});
  check_gradients("GELU", GELU{}, {5});
  check_gradients("GELU, tanh", GELU{.form = GeluForm::tanh}, {5});
  check_gradients("SiLU", SiLU{}, {5});
  check_gradients("Tanh", Tanh{}, {5});
  check_gradients("Sigmoid", Sigmoid{}, {5});
}

TEST_CASE("gradients: a sequence of layers") {
  Generator g(1);
  check_gradients("Sequential",
                  Sequential{Linear({.in = 2, .out = 3, .dtype = DType::f64}, g), Tanh{}, Dropout(0.3, g),
                             LayerNorm({.size = 3, .dtype = DType::f64})},
                  {2, 2});
}

TEST_CASE("gradients: losses") {
  Generator g(1);
  const auto draw = [&](const Shape& shape) { return Variable(normal(shape, g, 0, 1, DType::f64)); };
  const auto check = [](const char* name, const gradchecks::Function& loss, const std::vector<Variable>& inputs) {
    const GradcheckReport report = gradcheck(loss, inputs);
    INFO(name << ": " << report.reason);
    CHECK(report.passed());
  };
  const Tensor classes = tensor({{2, 0}, {1, 2}}, DType::i64);
  check("mse", [](const auto& in) { return mse_loss(in[0], in[1]); }, {draw({2, 3}), draw({2, 3})});
  check("l1", [](const auto& in) { return l1_loss(in[0], in[1]); }, {draw({2, 3}), draw({2, 3})});
  check("cross entropy",
        [&](const auto& in) { return cross_entropy_loss(in[0], classes, {.label_smoothing = 0.2, .ignore = 0}); },
        {draw({2, 2, 3})});
}

}  // namespace regard::nn

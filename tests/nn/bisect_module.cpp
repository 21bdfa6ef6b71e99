#include "nn/tools/bisect_module.h"
#include "autograd/all.h"
#include "tests/catch.h"

using namespace regard;

namespace {

constexpr OpInfo lossy_info{"lossy", "a · b", "∂a = g·b, ∂b = 0"};

// a·b, whose rule has no gradient for b.
Variable lossy(const Variable& a, const Variable& b) {
  return record(lossy_info, {a, b}, multiply(a.value(), b.value()),
                [](const Variable& grad, const Saved& saved) { return gradients(grad * saved.inputs[1], 0 * grad); });
}

struct Gate {
  Variable weight, scale;
  bool is_right = true;

  Gate() {
    Generator generator(1);
    weight = parameter(normal({2, 2}, generator, 0, 1, DType::f64));
    scale = parameter(normal({2, 2}, generator, 0, 1, DType::f64));
  }
  void visit(nn::Visitor& v) {
    v("weight", weight);
    v("scale", scale);
  }
  Variable operator()(const Variable& x) const {
    const Variable h = tanh(matmul(x, weight));
    return is_right ? h * scale : lossy(h, scale);
  }
};

// As many gates as one likes, the last with a wrong rule.
struct Gates {
  std::vector<Gate> gates;

  void visit(nn::Visitor& v) { v("gates", gates); }
};

BisectReport bisected(bool is_right) {
  Gate gate;
  gate.is_right = is_right;
  const Variable x(tensor({{0.5, -1}, {2, 0.25}}, DType::f64));
  return nn::bisect_module(gate, {x}, [](Gate& module, const std::vector<Variable>& in) { return module(in[0]); });
}

}  // namespace

TEST_CASE("a wrong rule inside a module is found, and the parameter that it fails is told by its name") {
  CHECK(to_string(bisected(true)) == "0 of 3 operations are wrong");
  const BisectReport report = bisected(false);
  INFO(to_string(report));
  REQUIRE(report.wrong.size() == 1);
  CHECK(report.wrong[0].number == 3);
  REQUIRE(report.wrong[0].gradients.size() == 1);
  CHECK(report.wrong[0].gradients[0].origin == "scale");
  CHECK(report.wrong[0].gradients[0].mistake == "it is 0: a term is missing");
}

TEST_CASE("a gradient check of a module names each parameter that fails, and the rule that is wrong") {
  Gates model;
  for (int i = 0; i < 7; ++i) model.gates.emplace_back();
  model.gates.back().is_right = false;
  const Variable x(tensor({{0.5, -1}, {2, 0.25}}, DType::f64));
  const auto forward = [](Gates& module, const std::vector<Variable>& in) {
    Variable y = in[0];
    for (const Gate& gate : module.gates) y = gate(y);
    return lossy(in[0] + 1, y);  // the rule has no gradient for y
  };
  const std::string told = to_string(nn::gradcheck_module(model, {x}, forward, {.order = 1}));
  INFO(told);
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(told, Catch::Matchers::StartsWith("15 inputs   60 elements   worst "));
  CHECK_THAT(told,
             ContainsSubstring("15 of 15 inputs fail, the worst first:\n") && ContainsSubstring(", error 1.0e+00"));
  CHECK_THAT(told, ContainsSubstring("\n    and 5 more\nbisect: 1 of 23 operations is wrong\noperation 21, lossy: "));
}

TEST_CASE("a gradient check of a module says so where every rule is right, and a number has left the record") {
  const Variable x(tensor({{0.5, -1}, {2, 0.25}}, DType::f64));
  const auto forward = [](Gate& module, const std::vector<Variable>& in) {
    const Variable y = module(in[0]);
    return y * detach(y);  // y², and half of its gradient
  };
  const GradcheckReport report = nn::gradcheck_module(Gate(), {x}, forward, {.order = 1});
  INFO(to_string(report));
  CHECK(!report.passed());
  CHECK_THAT(report.reason, Catch::Matchers::ContainsSubstring("\nbisect: 0 of ") &&
                                Catch::Matchers::EndsWith("\nno rule is wrong by itself: does a number leave the "
                                                          "record by item(), value() or detach()?"));
}

TEST_CASE("a gradient check of a module takes a parameter that stands in two places as one") {
  Gates tied;
  tied.gates.resize(2, Gate());
  const Variable x(tensor({{0.5, -1}, {2, 0.25}}, DType::f64));
  const GradcheckReport report = nn::gradcheck_module(tied, {x}, [](Gates& module, const std::vector<Variable>& in) {
    return module.gates[1](module.gates[0](in[0]));
  });
  CHECK(to_string(report).starts_with("3 inputs   12 elements"));
  CHECK(report.passed());
}

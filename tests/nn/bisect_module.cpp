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

BisectReport bisected(bool is_right) {
  Gate gate;
  gate.is_right = is_right;
  const Variable x(tensor({{0.5, -1}, {2, 0.25}}, DType::f64));
  return nn::bisect_module(gate, {x}, [](Gate& module, const std::vector<Variable>& in) { return module(in[0]); });
}

}  // namespace

TEST_CASE("a wrong rule inside a module is found, and the parameter that it fails is told by its name") {
  CHECK(to_string(bisected(true)) == "all 3 operations agree");
  const BisectReport report = bisected(false);
  INFO(to_string(report));
  REQUIRE(report.wrong.size() == 1);
  CHECK(report.wrong[0].number == 3);
  REQUIRE(report.wrong[0].gradients.size() == 1);
  CHECK(report.wrong[0].gradients[0].origin == "scale");
  CHECK(report.wrong[0].gradients[0].mistake.kind == bisecting::Mistake::Kind::zero);
}

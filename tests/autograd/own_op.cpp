#include "autograd/all.h"
#include "tests/catch.h"

using namespace regard;

namespace {

// An operation of a user's own, outside the library.
constexpr OpInfo swish_info{"swish", "x·σ(b·x)", "∂x = g·(s + b·x·s·(1 − s)), ∂b = g·x²·s·(1 − s), s = σ(b·x)"};

Variable swish(const Variable& x, const Variable& b) {
  return record(swish_info, {x, b}, x.value() * sigmoid(b.value() * x.value()),
                [](const Variable& grad, const Saved& saved) {
                  const Variable &in = saved.inputs[0], &steepness = saved.inputs[1];
                  const Variable s = sigmoid(steepness * in), slope = s * (1 - s);
                  return gradients(grad * (s + steepness * in * slope), grad * square(in) * slope);
                });
}

constexpr OpInfo faulty_info{"faulty", "x", "∂x = …"};

Variable faulty(const Variable& x, graph::Rule rule) { return record(faulty_info, {x}, x.value(), std::move(rule)); }

}  // namespace

TEST_CASE("an operation made outside the library is checked in one line") {
  Generator generator(7);
  const Variable x(normal({2, 3}, generator, 0, 1, DType::f64)), b(normal({2, 3}, generator, 0, 1, DType::f64));
  CHECK(gradcheck([](const auto& in) { return swish(in[0], in[1]); }, {x, b}).passed());
}

TEST_CASE("the engine holds a rule to its contract") {
  Variable x = parameter(tensor({1, 2}));
  CHECK_THROWS_WITH(sum(faulty(x, [](const Variable& g, const Saved&) { return gradients(sum(g)); })).backward(),
                    "backward: the rule of 'faulty' returned a gradient f32 () for input 0, which is f32 (2)");
  CHECK_THROWS_WITH(
      sum(faulty(x, [](const Variable& g, const Saved&) { return gradients(to(g, DType::f64)); })).backward(),
      "backward: the rule of 'faulty' returned a gradient f64 (2) for input 0, which is f32 (2)");
  CHECK_THROWS_WITH(sum(faulty(x, [](const Variable& g, const Saved&) { return gradients(g, g); })).backward(),
                    "backward: the rule of 'faulty' returned 2 gradients for 1 inputs");
}

TEST_CASE("a rule must not forget a gradient that is wanted") {
  Variable x = parameter(tensor({1, 2}));
  const Variable y = faulty(x, [](const Variable&, const Saved&) { return gradients(Variable()); });
  CHECK_THROWS_WITH(sum(y).backward(),
                    "backward: the rule of 'faulty' left the gradient of input 0 undefined, but it is wanted");
}

TEST_CASE("a rule sees the inputs and the output, and which gradients are wanted") {
  Variable x = parameter(tensor({1, 2}));
  const Variable c(tensor({5, 6}));
  bool called = false;
  const Variable y =
      record(faulty_info, {x, c}, add(x.value(), c.value()), [&](const Variable& grad, const Saved& saved) {
        called = true;
        CHECK(saved.input().same_as(x));
        CHECK(saved.wants(0));
        CHECK_FALSE(saved.wants(1));
        CHECK(to_vector(saved.output.value()) == std::vector<double>{6, 8});
        CHECK_FALSE(is_recording());
        return gradients(grad, Variable());
      });
  sum(y).backward();
  CHECK(called);
}

#include "nn/tools/cost/cost.h"

#include "autograd/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard {
namespace {

Variable leaf_of(const Shape& shape, DType dtype = DType::f64) { return parameter(noise(shape, 1, dtype)); }

const Cost& named(const std::vector<NamedCost>& list, const std::string& name) {
  for (const NamedCost& one : list)
    if (one.name == name) return one.cost;
  fail<ValueError>("there is no cost of {}", name);
}

}  // namespace

TEST_CASE("cost: products, by hand") {
  const Variable a = leaf_of({2, 3, 5}), b = leaf_of({2, 5, 7}), w = leaf_of({4, 5});
  const Cost product = cost_of_operation(matmul(a, b));
  CHECK(product.multiply_adds == 2 * 3 * 5 * 7);
  CHECK(product.backward_multiply_adds == 2 * (2 * 3 * 5 * 7));
  CHECK(product.bytes == 8 * (2 * 3 * 5 + 2 * 5 * 7 + 2 * 3 * 7));
  CHECK(product.memory == 8 * 2 * 3 * 7);
  CHECK(product.elements == 0);
  CHECK(cost_of_operation(matmul(a, Variable(b.value()))).backward_multiply_adds == 2 * 3 * 5 * 7);  // ∂a alone
  CHECK(cost_of_operation(linear(a, w)).multiply_adds == 2 * 3 * 5 * 4);
}

TEST_CASE("cost: functions of each element, sums, and views that move nothing") {
  const Variable x = leaf_of({3, 4}, DType::f32);
  const Cost tanhs = cost_of_operation(tanh(x)), sums = cost_of_operation(sum(x));
  CHECK(tanhs.elements == 12);
  CHECK(tanhs.bytes == 2 * 12 * 4);
  CHECK(sums.elements == 12);  // all that is added up
  CHECK(sums.bytes == (12 + 1) * 4);
  CHECK(sums.memory == 4);
  const Cost view = cost_of_operation(transpose(x));
  CHECK(view.operations == 1);
  CHECK(view.bytes + view.elements + view.memory == 0);
}

TEST_CASE("cost: fused attention costs what its two products do, and keeps no weights") {
  const Variable q = leaf_of({2, 3, 5, 8}), k = leaf_of({2, 3, 7, 8}), v = leaf_of({2, 3, 7, 4});
  const Cost fused = cost_of_operation(fused_attention(shipped_scores::dot(0.5), q, k, v));
  const double pairs = 2 * 3 * 5 * 7;
  CHECK(fused.multiply_adds == pairs * (8 + 4));
  CHECK(fused.backward_multiply_adds == pairs * (3 * 8 + 2 * 4));
  CHECK(fused.memory == 8 * 2 * 3 * 5 * 4);
}

TEST_CASE("cost: a sequence costs W·h in each step") {
  const std::int64_t L = 5, B = 2, H = 3;
  const Variable h = leaf_of({B, H}), w = leaf_of({3 * H, H}), bias = leaf_of({3 * H});
  const Cost steps = cost_of_operation(gru(leaf_of({L, B, 3 * H}), h, w, bias, ResetGate::after_product));
  CHECK(steps.multiply_adds == L * B * 3 * H * H);
  CHECK(steps.backward_multiply_adds == 2 * L * B * 3 * H * H);
}

TEST_CASE("cost: of all that was recorded, each once, by operation and by module") {
  const Variable x = Variable(noise({6, 2})), w = leaf_of({3, 2}), u = leaf_of({2, 3});
  const Variable hidden = linear(x, w);
  const Variable y = linear(tanh(hidden) * hidden, u);
  const Costs costs = cost(sum(y), {{"net.0.weight", w}, {"net.1.weight", u}});
  CHECK(costs.total.operations == 5);
  CHECK(costs.total.multiply_adds == 2 * 6 * 3 * 2);
  CHECK(costs.by_operation.front().name == "linear");
  CHECK(named(costs.by_operation, "linear").operations == 2);
  CHECK(named(costs.by_operation, "tanh").elements == 18);
  CHECK(named(costs.by_module, "net.0").multiply_adds == 6 * 3 * 2);
  CHECK(named(costs.by_module, "net.0").elements == 36);  // tanh and the product stand before the next layer
  CHECK(named(costs.by_module, "outside").elements == 12);
  CHECK(to_text(costs).find("linear         2") != std::string::npos);
}

}  // namespace regard

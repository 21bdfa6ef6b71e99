#include "autograd/all.h"
#include "tests/autograd/leaf.h"
#include "tests/catch.h"

using namespace regard;

TEST_CASE("a hook sees the complete gradient, once") {
  Variable x = leaf({1, 2});
  const Variable y = square(x);
  std::vector<Numbers> seen;
  y.on_gradient([&](const Variable& g) {
    seen.push_back(to_vector(g.value()));
    return Variable();
  });
  sum(3 * y + 4 * y).backward();
  CHECK(seen == std::vector<Numbers>{{7, 7}});
  CHECK(to_vector(x.gradient().value()) == Numbers{14, 28});
}

TEST_CASE("a hook can replace the gradient, on results and on leaves") {
  Variable x = leaf({1, 2});
  const Variable y = square(x);
  y.on_gradient([](const Variable& g) { return 10 * g; });
  x.on_gradient([](const Variable& g) { return clamp(g, -25, 25); });
  sum(y).backward();
  CHECK(to_vector(x.gradient().value()) == Numbers{20, 25});
}

TEST_CASE("hooks run in the order in which they came, and can be removed") {
  Variable x = leaf({1.0});
  const int first = x.on_gradient([](const Variable& g) { return g + 1; });
  x.on_gradient([](const Variable& g) { return 10 * g; });
  x.backward();
  CHECK(x.gradient().item() == 20);
  x.remove_hook(first);
  x.clear_gradient();
  x.backward();
  CHECK(x.gradient().item() == 10);
  CHECK_THROWS_WITH(x.remove_hook(first), fmt::format("remove_hook: there is no hook of number {}", first));
}

TEST_CASE("a replacement must fit, and a hook needs a gradient to come") {
  Variable x = leaf({1, 2});
  x.on_gradient([](const Variable& g) { return sum(g); });
  CHECK_THROWS_WITH(sum(x).backward(), "on_gradient: the hook replaced a gradient f64 (2) by f64 ()");
  CHECK_THROWS_WITH(Variable(tensor({1})).on_gradient([](const Variable& g) { return g; }),
                    "on_gradient: this Variable does not require a gradient, so none will come");
}

TEST_CASE("grad() runs hooks too") {
  Variable x = leaf({1, 2});
  const Variable y = square(x);
  y.on_gradient([](const Variable& g) { return 2 * g; });
  CHECK(to_vector(grad({sum(y)}, {x})[0].value()) == Numbers{4, 8});
}

// y = v·(w·x): the walk visits the outer product first, and then knows all about v. By order of age w comes first.
TEST_CASE("Leaves can be visited as soon as their gradients are complete") {
  const auto order_of_hooks = [](bool early) {
    const Variable v = parameter(tensor({2}, DType::f64)), w = parameter(tensor({3}, DType::f64));
    const Variable x = parameter(tensor({5}, DType::f64));
    std::string order;
    v.on_gradient([&](const Variable& g) { return order += fmt::format("v {} ", g.item()), Variable(); });
    w.on_gradient([&](const Variable& g) { return order += fmt::format("w {} ", g.item()), Variable(); });
    x.on_gradient([&](const Variable& g) { return order += fmt::format("x {} ", g.item()), Variable(); });
    const Variable inner = w * x, y = v * inner + x;  // x is used twice
    inner.on_gradient([&](const Variable& g) { return order += fmt::format("inner {} ", g.item()), Variable(); });
    y.backward({.leaves_early = early});
    return order;
  };
  CHECK(order_of_hooks(false) == "inner 2 x 7 w 10 v 15 ");
  CHECK(order_of_hooks(true) == "v 15 inner 2 x 7 w 10 ");
}

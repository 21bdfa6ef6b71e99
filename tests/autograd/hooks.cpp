#include "autograd/all.h"
#include "tests/autograd/leaf.h"
#include "tests/catch.h"

#include <map>

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

// y = v·(w·x) + x, x = 5, w = 3, v = 2. The outer product is visited first: v is complete then, and x waits for the
// inner one. Sums are told after what they are made of.
TEST_CASE("an observer is told of each gradient as it is made") {
  struct Told : Observer {
    std::map<std::uint64_t, std::string> names;
    std::string all;
    void gradient(const GradientMade& event) override {
      const char* by[] = {"start", "rule", "sum", "hook"};
      all += fmt::format("{} {} {}, ", by[static_cast<int>(event.by)], names[event.of.order()], event.made.item());
    }
  };
  const Variable v = leaf(2), w = leaf(3), x = leaf(5);
  const Variable inner = w * x, outer = v * inner, y = outer + x;
  w.on_gradient([](const Variable& g) { return 10 * g; });
  Told told;
  told.names = {{v.order(), "v"},         {w.order(), "w"},         {x.order(), "x"},
                {inner.order(), "inner"}, {outer.order(), "outer"}, {y.order(), "y"}};
  y.backward();
  CHECK(told.all ==
        "start y 1, rule outer 1, rule x 1, rule v 15, rule inner 2, rule w 10, rule x 6, sum x 7, hook w 100, ");
}

TEST_CASE("an observer is told of no gradient of a rule that is refused") {
  struct Told : Observer {
    int of_rules = 0;
    void gradient(const GradientMade& event) override { of_rules += event.by == GradientMade::By::rule; }
  };
  static constexpr OpInfo info{"half_right", "a + b", "∂a = g, and a wrong shape for b"};
  const Variable a = leaf(1), b = leaf(2);
  const Variable y = record(info, {a, b}, a.value() + b.value(),
                            [](const Variable& grad, const Saved&) { return gradients(grad, ones({3}, DType::f64)); });
  Told told;
  CHECK_THROWS_AS(y.backward(), ShapeError);
  CHECK(told.of_rules == 0);
}

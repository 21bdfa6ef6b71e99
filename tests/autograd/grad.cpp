#include "autograd/all.h"
#include "tests/autograd/leaf.h"
#include "tests/catch.h"

#include <cmath>

using namespace regard;

namespace {

std::vector<double> numbers(const Variable& x) { return to_vector(x.value()); }

}  // namespace

TEST_CASE("grad returns gradients and leaves gradient() alone") {
  Variable x = leaf({1, 2}), y = leaf({3, 4});
  const auto g = grad({sum(x * y)}, {y, x});
  CHECK(numbers(g[0]) == Numbers{1, 2});
  CHECK(numbers(g[1]) == Numbers{3, 4});
  CHECK_FALSE(x.gradient().defined());
}

TEST_CASE("grad reaches results of operations") {
  Variable x = leaf({1, 2});
  const Variable middle = square(x);
  const auto g = grad({sum(3 * middle)}, {middle});
  CHECK(numbers(g[0]) == Numbers{3, 3});
}

TEST_CASE("several outputs, each with its gradient") {
  Variable x = leaf({1, 2});
  const auto g =
      grad({square(x), 5 * x}, {x}, {.gradients = {tensor({1, 10}, DType::f64), tensor({1, 1}, DType::f64)}});
  CHECK(numbers(g[0]) == Numbers{2 + 5, 40 + 5});
}

TEST_CASE("derivatives of any order: x⁵") {
  Variable x = leaf(2);
  Variable y = x * x * x * x * x;
  const double expected[] = {5 * 16, 20 * 8, 60 * 4, 120 * 2, 120};
  for (const double value : expected) {
    y = grad({y}, {x}, {.create_graph = true})[0];
    CHECK(y.item() == Approx(value));
  }
}

TEST_CASE("derivatives of tanh to third order agree with the closed forms") {
  Variable x = leaf(0.7);
  const double t = std::tanh(0.7), s = 1 - t * t;
  Variable y = tanh(x);
  y = grad({y}, {x}, {.create_graph = true})[0];
  CHECK(y.item() == Approx(s));
  y = grad({y}, {x}, {.create_graph = true})[0];
  CHECK(y.item() == Approx(-2 * t * s));
  y = grad({y}, {x}, {.create_graph = true})[0];
  CHECK(y.item() == Approx(s * (6 * t * t - 2)));
}

TEST_CASE("the Hessian of a quadratic form is A + Aᵀ") {
  const Variable a(tensor({{1, 2, 0}, {0, 3, 1}, {4, 0, 5}}, DType::f64));
  Variable x = leaf({1, -2, 0.5});
  const Variable first = grad({matmul(x, matmul(a, x))}, {x}, {.create_graph = true})[0];
  for (int i = 0; i < 3; ++i) {
    const auto row = grad({select(first, 0, i)}, {x}, {.keep_graph = true})[0];
    CHECK(allclose(row.value(), select((a + transpose(a)).value(), 0, i)));
  }
}

TEST_CASE("a gradient penalty trains: backward through a gradient") {
  Variable x = leaf({1, 2});
  const Variable g = grad({sum(x * x * x)}, {x}, {.create_graph = true})[0];  // 3x²
  sum(square(g)).backward();                                                  // (9x⁴)′ = 36x³
  CHECK(to_vector(x.gradient().value()) == Numbers{36, 288});
}

TEST_CASE("an input without influence is an error, or zero if that is allowed") {
  Variable x = leaf({1, 2}), unused = leaf({{3}});
  const Variable y = sum(x);
  CHECK_THROWS_WITH(grad({y}, {x, unused}, {.keep_graph = true}),
                    "grad: no output depends on input 1 (1, 1) (with .allow_unused = true its gradient is zero)");
  const auto g = grad({y}, {x, unused}, {.allow_unused = true});
  CHECK(numbers(g[1]) == Numbers{0});
  CHECK(g[1].shape() == Shape{1, 1});
}

TEST_CASE("as many gradients as outputs") {
  Variable x = leaf({1, 2});
  CHECK_THROWS_WITH(grad({sum(x), sum(x)}, {x}, {.gradients = {tensor(1, DType::f64)}}),
                    "grad: 1 gradients were given for 2 outputs");
  CHECK_THROWS_WITH(grad({sum(x * detach(x))}, {detach(x)}),
                    "grad: input 0 does not require a gradient, so nothing was recorded for it");
  CHECK_THROWS_WITH(grad({sum(x)}, {Variable()}),
                    "grad: input 0 does not require a gradient, so nothing was recorded for it");
  CHECK_THROWS_WITH(grad({detach(x)}, {x}), "grad: the output (2) depends on nothing that requires a gradient");
}

TEST_CASE("grad stops at its inputs: what lies before them is neither visited nor freed") {
  Variable x = leaf({1, 2});
  const Variable first = square(x), before = 2 * first;
  const auto after = [&] { return grad({sum(3 * before)}, {before})[0]; };
  after();
  sum(first).backward();  // would throw, had the square been freed
  CHECK(to_vector(x.gradient().value()) == Numbers{2, 4});
  CHECK(numbers(after()) == Numbers{3, 3});  // although it is freed now
}

TEST_CASE("grad goes only where its inputs are: other branches are not freed and their hooks are not called") {
  Variable x = leaf({1, 2}), w = leaf({1, 1});
  const Variable h = square(x), b = exp(w);
  int calls = 0;
  w.on_gradient([&](const Variable&) { return ++calls, Variable(); });
  CHECK(numbers(grad({sum(h * b)}, {h})[0]) == numbers(b));
  CHECK(calls == 0);
  sum(b).backward();
  CHECK(calls == 1);
}

TEST_CASE("an input may be named twice, and be an output as well") {
  Variable x = leaf({1, 2});
  const auto g = grad({sum(3 * x)}, {x, x});
  CHECK(numbers(g[0]) == Numbers{3, 3});
  CHECK(numbers(g[1]) == Numbers{3, 3});
  CHECK(numbers(grad({x}, {x}, {.gradients = {tensor({5, 6}, DType::f64)}})[0]) == Numbers{5, 6});
}

TEST_CASE("create_graph records, even inside NoGrad; without it nothing is recorded, whatever the seed remembers") {
  Variable x = leaf({1, 2});
  const Variable y = square(x);
  {
    NoGrad guard;
    CHECK(grad({y}, {x}, {.gradients = {tensor({1, 1}, DType::f64)}, .create_graph = true})[0].requires_grad());
  }
  const Variable seed = 2 * x;
  CHECK_FALSE(grad({y, y}, {x}, {.gradients = {seed, seed}})[0].requires_grad());
  (x + 1.0).backward({.gradient = seed});
  CHECK_FALSE(x.gradient().requires_grad());
}

TEST_CASE("powers at 0 have derivatives of any order") {
  for (const double exponent : {0.0, 1.0, 2.0, 3.0}) {
    Variable a = leaf({0.0});
    const Variable b(tensor({exponent}, DType::f64));
    Variable y = pow(a, b);
    double factorial = 1;
    for (int order = 1; order <= 4; ++order) {
      y = grad({y}, {a}, {.create_graph = true, .allow_unused = true})[0];
      factorial *= order;
      CHECK(y.item() == (order == exponent ? factorial : 0));
      if (!y.requires_grad()) break;
    }
  }
}

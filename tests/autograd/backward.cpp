#include "autograd/all.h"
#include "tests/autograd/leaf.h"
#include "tests/catch.h"

#include <thread>

using namespace regard;

namespace {

std::vector<double> gradient_of(const Variable& x) { return to_vector(x.gradient().value()); }

}  // namespace

TEST_CASE("the gradient of a chain is the product of its slopes") {
  Variable x = leaf({1, 2});
  sum(square(3 * x)).backward();  // d/dx 9x² = 18x
  CHECK(gradient_of(x) == Numbers{18, 36});
}

TEST_CASE("a value used several times collects the gradients of all uses") {
  Variable a = leaf({2, 5});
  SECTION("b = a + a") {
    sum(a + a).backward();
    CHECK(gradient_of(a) == Numbers{2, 2});
  }
  SECTION("a · a") {
    sum(a * a).backward();
    CHECK(gradient_of(a) == Numbers{4, 10});
  }
  SECTION("a diamond: two ways from a to y") {
    const Variable b = 3 * a, left = square(b), right = 2 * b;
    sum(left + right).backward();  // (9a² + 6a)′ = 18a + 6
    CHECK(gradient_of(a) == Numbers{42, 96});
  }
  SECTION("a diamond of diamonds, with one way longer than the other") {
    Variable b = a;
    for (int i = 0; i < 10; ++i) b = b + 1.0 * (1.0 * b);
    sum(b).backward();  // doubles ten times
    CHECK(gradient_of(a) == Numbers{1024, 1024});
  }
}

TEST_CASE("gradients add up over passes until they are cleared") {
  Variable x = leaf({1, 2});
  CHECK_FALSE(x.gradient().defined());
  sum(2 * x).backward();
  sum(3 * x).backward();
  CHECK(gradient_of(x) == Numbers{5, 5});
  x.clear_gradient();
  CHECK_FALSE(x.gradient().defined());
  sum(7 * x).backward();
  CHECK(gradient_of(x) == Numbers{7, 7});
}

TEST_CASE("what is not a single number needs a gradient to start with") {
  Variable x = leaf({{1, 2}, {3, 4}});
  CHECK_THROWS_WITH(
      (2 * x).backward(),
      "backward: the output (2, 2) is not a single number, so the gradient to start with must be given (or "
      "reduce it, as with sum)");
  (2 * x).backward({.gradient = tensor({{1, 10}, {100, 1000}}, DType::f64)});
  CHECK(gradient_of(x) == Numbers{2, 20, 200, 2000});
  CHECK_THROWS_WITH((2 * x).backward({.gradient = tensor({1, 2}, DType::f64)}),
                    "backward: a gradient f64 (2) does not fit the output, which is f64 (2, 2)");
  CHECK_THROWS_WITH((2 * x).backward({.gradient = tensor({{1, 2}, {3, 4}})}),
                    "backward: a gradient f32 (2, 2) does not fit the output, which is f64 (2, 2)");
}

TEST_CASE("an output of one element starts with 1, whatever its rank") {
  Variable x = leaf({{3}});
  square(x).backward();
  CHECK(gradient_of(x) == Numbers{6});
}

TEST_CASE("a graph is freed by the pass that uses it, unless it is kept") {
  Variable x = leaf({1, 2});
  const Variable y = sum(square(x));
  y.backward({.keep_graph = true});
  y.backward();
  CHECK(gradient_of(x) == Numbers{4, 8});
  CHECK_THROWS_WITH(
      y.backward(),
      "backward: the graph behind 'sum' () was freed by an earlier backward pass (give that one .keep_graph "
      "= true)");
}

TEST_CASE("two outputs that share a part: the second pass says that the part is gone") {
  Variable x = leaf({1, 2});
  const Variable shared = square(x);
  const Variable first = sum(shared), second = sum(3 * shared);
  first.backward();
  CHECK_THROWS_WITH(second.backward(),
                    Catch::Matchers::StartsWith("backward: the graph behind 'square' (2) was freed"));
}

TEST_CASE("nothing to differentiate is an error, not a silence") {
  const Variable constant(tensor({1, 2}));
  CHECK_THROWS_WITH(sum(constant).backward(), "backward: the output () depends on nothing that requires a gradient");
}

TEST_CASE("constants get no gradient") {
  Variable x = leaf({1, 2});
  const Variable c(tensor({3, 4}, DType::f64));
  sum(x * c).backward();
  CHECK(gradient_of(x) == Numbers{3, 4});
  CHECK_FALSE(c.gradient().defined());
}

TEST_CASE("results of operations keep no gradient") {
  Variable x = leaf({1, 2});
  const Variable y = square(x);
  sum(y).backward();
  CHECK_FALSE(y.gradient().defined());
}

TEST_CASE("a leaf is an output too") {
  Variable x = leaf(4);
  x.backward();
  CHECK(gradient_of(x) == Numbers{1});
}

TEST_CASE("zero-size tensors have zero-size gradients") {
  Variable x = parameter(zeros({0, 3}, DType::f64));
  sum(exp(x)).backward();
  CHECK(x.gradient().shape() == Shape{0, 3});
}

TEST_CASE("leaves do not share the handle of a gradient") {
  Variable a = leaf({1, 2}), b = leaf({3, 4});
  sum(a + b).backward();
  Variable g = a.gradient();
  assign(g, tensor({100, 100}, DType::f64));
  CHECK(gradient_of(b) == Numbers{1, 1});
}

TEST_CASE("threads with graphs of their own may share leaves", "[threads]") {
  Variable w = leaf({1, 2});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) sum(w * w).backward();
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(gradient_of(w) == Numbers{1600, 3200});
}

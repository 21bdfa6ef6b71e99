#include "autograd/all.h"
#include "tests/autograd/leaf.h"
#include "tests/catch.h"

using namespace regard;

TEST_CASE("a result knows how it was made") {
  Variable x = leaf({1, 2}), y = leaf({3, 4});
  const Variable z = x * y;
  REQUIRE(z.node());
  CHECK(std::string(z.node()->op.name) == "multiply");
  CHECK(z.node()->inputs[0].same_as(x));
  CHECK(z.node()->inputs[1].same_as(y));
  CHECK(z.requires_grad());
  CHECK_FALSE(z.is_leaf());
  CHECK(z.order() > x.order());
}

TEST_CASE("nothing is recorded without a parameter, nor inside NoGrad") {
  const auto before = live_nodes();
  const Variable c(tensor({1, 2}));
  CHECK(exp(c).is_leaf());
  Variable x = leaf({1, 2});
  {
    NoGrad guard;
    CHECK_FALSE(is_recording());
    CHECK(exp(x).is_leaf());
    CHECK_FALSE(exp(x).requires_grad());
    { NoGrad nested; }
    CHECK_FALSE(is_recording());
  }
  CHECK(is_recording());
  CHECK(live_nodes() == before);
}

TEST_CASE("an exception leaves recording on") {
  CHECK_THROWS([] {
    NoGrad guard;
    matmul(Variable(zeros({2, 3})), Variable(zeros({2, 3})));
  }());
  CHECK(is_recording());
}

TEST_CASE("detach cuts the past off and shares the value") {
  Variable x = leaf({1, 2});
  const Variable y = square(x), d = detach(y);
  CHECK(d.value().shares_buffer_with(y.value()));
  CHECK_FALSE(d.requires_grad());
  sum(y * d).backward();  // as if d were a constant: x²·[x²] → 2x·x²
  CHECK(to_vector(x.gradient().value()) == Numbers{2, 16});
}

TEST_CASE("a parameter is real") {
  CHECK_THROWS_WITH(parameter(arange(3)), "parameter: (3) of i64 cannot have a gradient (f32 and f64 can)");
}

TEST_CASE("undefined Variables say so") {
  const Variable nothing;
  CHECK_FALSE(nothing.defined());
  CHECK_THROWS_WITH(nothing.value(), "value: this Variable is undefined");
  CHECK_THROWS_WITH(nothing.gradient(), "gradient: this Variable is undefined");
  CHECK(fmt::format("{}", nothing) == "undefined");
  const char* complaint = "an undefined Variable was used in a computation";
  CHECK_THROWS_WITH(nothing.order(), complaint);
  CHECK_THROWS_WITH(Variable().clear_gradient(), complaint);
  CHECK_THROWS_WITH(nothing.remove_hook(0), complaint);
  const auto record_it = [&] { record(op("exp"), {leaf({1.0}), nothing}, ones({1}, DType::f64), graph::Rule()); };
  CHECK_THROWS_WITH(record_it(), complaint);
}

TEST_CASE("a Variable prints as its value") {
  CHECK(fmt::format("{}", leaf({1, 2})) == "[1, 2]");
  CHECK(fmt::format("{:.1}", leaf({1, 2.25})) == "[1.0, 2.2]");
}

TEST_CASE("assign changes a leaf, and only a leaf") {
  Variable x = leaf({1, 2});
  assign(x, tensor({5, 6}, DType::f64));
  CHECK(to_vector(x.value()) == Numbers{5, 6});
  Variable y = 2 * x;
  CHECK_THROWS_WITH(
      assign(y, tensor({1, 1}, DType::f64)),
      "assign: the Variable is the result of an operation with a plain number, such as x * 2 or x + 2, not a leaf");
  CHECK_THROWS_WITH(assign(x, tensor({1, 2, 3}, DType::f64)),
                    "assign: a value of shape (3) does not fit a leaf of shape (2)");
  CHECK_THROWS_AS(assign(x, tensor({1, 2})), DTypeError);
}

TEST_CASE("a graph notices that an input of it was assigned to") {
  Variable x = leaf({1, 2});
  const Variable y = sum(square(x));
  assign(x, tensor({5, 6}, DType::f64));
  CHECK_THROWS_WITH(y.backward(),
                    "backward: an input of 'square' was assigned a new value after it was used (run backward first)");
}

TEST_CASE("the dtype of a gradient is that of its value, across a conversion") {
  Variable x = parameter(tensor({1, 2}));
  sum(square(to(x, DType::f64))).backward();
  CHECK(x.gradient().dtype() == DType::f32);
  CHECK(to_vector(x.gradient().value()) == Numbers{2, 4});
  CHECK_THROWS_WITH(to(x, DType::i64), "to: no gradient flows through i64 (convert x.value() or detach(x))");
  CHECK(to(detach(x), DType::i64).dtype() == DType::i64);
}

TEST_CASE("dtypes do not mix") {
  CHECK_THROWS_WITH(leaf({1, 2}) + Variable(tensor({1, 2})),
                    "add: f64 (2) and f32 (2) do not mix (convert one of them with to(x, DType::f64))");
}

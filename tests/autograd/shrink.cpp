#include "autograd/gradcheck/bisect/shrink.h"

#include "tests/autograd/leaf.h"
#include "tests/catch.h"

#include <cmath>

using namespace regard;

namespace {

constexpr OpInfo wrong_info{"wrong", "a · b", "∂a = g, ∂b = g·a"};

// a·b, whose rule has lost the factor b.
Variable wrong_product(const Variable& a, const Variable& b) {
  return record(wrong_info, {a, b}, multiply(a.value(), b.value()), [](const Variable& grad, const Saved& saved) {
    return gradients(identity(grad), grad * saved.input());
  });
}

Variable drawn(const Shape& shape, std::uint64_t seed) {
  Generator generator(seed);
  return parameter(normal(shape, generator, 0, 1, DType::f64));
}

}  // namespace

TEST_CASE("a failing check shrinks to one number, and what is printed fails when it is compiled") {
  const auto f = [](const std::vector<Variable>& in) { return wrong_product(matmul(in[0], in[1]), in[2]); };
  const Shrunk shrunk = shrink(f, {drawn({4, 6}, 1), drawn({6, 5}, 2), drawn({4, 5}, 3)}, {.order = 1});
  INFO(to_string(shrunk));
  CHECK(shrunk.code ==
        "gradcheck(f, {parameter(tensor({{0}}, DType::f64)), parameter(tensor({{1}}, DType::f64)), "
        "parameter(tensor({{0}}, DType::f64))}, {.order = 1})");
  // By the rule ∂in[0] is g·in[1]; the slope is g·in[1]·in[2], which is 0.
  const GradcheckReport again = gradcheck(f,
                                          {parameter(tensor({{0}}, DType::f64)), parameter(tensor({{1}}, DType::f64)),
                                           parameter(tensor({{0}}, DType::f64))},
                                          {.order = 1});
  CHECK(again.verdict == gradchecks::Verdict::fail);
  CHECK(again.reason == shrunk.report.reason);
}

// Row 2 is wrong, and no other: neither half of four rows can be dropped before the right one is found.
TEST_CASE("the rows that fail are kept") {
  const auto f = [](const std::vector<Variable>& in) {
    const Variable &x = in[0], &row = in[1];
    return where(equal(row.value(), 2), wrong_product(x, x), square(x));
  };
  const Variable rows(tensor({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}, DType::i64));
  const Shrunk shrunk = shrink(f, {drawn({4, 3}, 1), rows}, {.order = 1});
  INFO(to_string(shrunk));
  CHECK(shrunk.inputs[0].shape() == Shape{1, 1});
  CHECK(shrunk.inputs[1].item() == 2);
}

TEST_CASE("rows that fail only together are kept together") {
  const auto f = [](const std::vector<Variable>& in) {
    const Variable &x = in[0], &row = in[1];
    const bool are_both_there = sum(equal(row.value(), 1)).item() > 0 && sum(equal(row.value(), 2)).item() > 0;
    return are_both_there ? wrong_product(x, x) : square(x);
  };
  const Shrunk shrunk = shrink(f, {drawn({4}, 1), Variable(tensor({0, 1, 2, 3}, DType::i64))}, {.order = 1});
  INFO(to_string(shrunk));
  CHECK(to_vector(shrunk.inputs[1].value()) == Numbers{1, 2});
}

// A single row fails too, but with NaN: that is another mistake than the one to be looked at.
TEST_CASE("what fails in another way is not taken for the same mistake") {
  const auto f = [](const std::vector<Variable>& in) {
    const Variable &x = in[0], &row = in[1];
    const auto nothing = [](const Variable& grad, const Saved&) { return gradients(grad * NAN); };
    if (row.numel() == 1) return record(wrong_info, {x}, square(x.value()), nothing);
    return where(equal(row.value(), 2), wrong_product(x, x), square(x));
  };
  const Shrunk shrunk = shrink(f, {drawn({4}, 1), Variable(tensor({0, 1, 2, 3}, DType::i64))}, {.order = 1});
  INFO(to_string(shrunk));
  CHECK(shrunk.inputs[1].numel() == 2);
  CHECK(std::isfinite(shrunk.report.worst));
}

TEST_CASE("axes of one size that do not belong together are cut alone") {
  const auto f = [](const std::vector<Variable>& in) {
    if (in[0].size(1) != 3) fail<ShapeError>("f: there must be three columns");
    return wrong_product(in[0], in[0]);
  };
  CHECK(shrink(f, {drawn({3, 3}, 1)}, {.order = 1}).inputs[0].shape() == Shape{1, 3});
}

// Row 900 of 1024: ten halvings find it.
TEST_CASE("a wrong row among many is found by halving") {
  const auto f = [](const std::vector<Variable>& in) {
    return where(equal(in[1].value(), 900), wrong_product(in[0], in[0]), square(in[0]));
  };
  const Shrunk shrunk = shrink(f, {drawn({1024}, 1), Variable(arange(1024))}, {.order = 1});
  CHECK(shrunk.inputs[1].item() == 900);
  CHECK(shrunk.tried < 100);
}

TEST_CASE("a check that passes has nothing to shrink") {
  const auto f = [](const std::vector<Variable>& in) { return square(in[0]); };
  CHECK_THROWS_WITH(shrink(f, {leaf({1, 2})}),
                    "shrink: this check does not fail, its verdict is PASS: give it inputs for which it does");
}

TEST_CASE("tensors are written as C++ that makes them again") {
  CHECK(as_code(tensor(0.1, DType::f64)) == "tensor(0.1, DType::f64)");
  CHECK(as_code(tensor({{1, -2.5}, {1e-7, 1.0 / 3}}, DType::f64)) ==
        "tensor({{1, -2.5}, {1e-07, 0.3333333333333333}}, DType::f64)");
  CHECK(as_code(tensor({-0.0, 0.0}, DType::f64)) == "tensor({-0.0, 0}, DType::f64)");
  CHECK(as_code(tensor({3, 1}, DType::i64)) == "tensor({3, 1}, DType::i64)");
  CHECK(as_code(zeros({2, 0}, DType::f64)) == "zeros({2, 0}, DType::f64)");
}

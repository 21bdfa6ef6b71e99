// On whole numbers the three element types must agree: f32, f64 and i64 run through one template each.
#include "tensor/all.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <cmath>
#include <limits>

#include <functional>

namespace regard {

namespace {

struct Operation {
  const char* name;
  std::function<Tensor(const Tensor&, const Tensor&)> run;
};

const Operation operations[] = {
    {"add", [](auto& x, auto& y) { return x + y; }},
    {"subtract", [](auto& x, auto& y) { return x - y; }},
    {"multiply", [](auto& x, auto& y) { return x * y; }},
    {"numbers", [](auto& x, auto&) { return 3 - (2 * x + 5) * 2 - 1; }},
    {"negate", [](auto& x, auto&) { return -x; }},
    {"maximum", [](auto& x, auto& y) { return maximum(x, y); }},
    {"minimum", [](auto& x, auto& y) { return minimum(x, y); }},
    {"maximum of a number", [](auto& x, auto&) { return maximum(x, 2); }},
    {"minimum of a number", [](auto& x, auto&) { return minimum(x, 2); }},
    {"equal", [](auto& x, auto& y) { return equal(x, y); }},
    {"not_equal", [](auto& x, auto& y) { return not_equal(x, y); }},
    {"less", [](auto& x, auto& y) { return less(x, y); }},
    {"less_equal", [](auto& x, auto& y) { return less_equal(x, y); }},
    {"greater", [](auto& x, auto& y) { return greater(x, y); }},
    {"greater_equal", [](auto& x, auto& y) { return greater_equal(x, y); }},
    {"where", [](auto& x, auto& y) { return where(greater(x, 0), x, y); }},
    {"abs", [](auto& x, auto&) { return abs(x); }},
    {"relu", [](auto& x, auto&) { return relu(x); }},
    {"clamp", [](auto& x, auto&) { return clamp(x, -2, 3); }},
    {"is_nan", [](auto& x, auto&) { return is_nan(x); }},
    {"sum", [](auto& x, auto&) { return sum(x, 1); }},
    {"prod", [](auto& x, auto&) { return prod(x, 1); }},
    {"max", [](auto& x, auto&) { return max(x, 0); }},
    {"min", [](auto& x, auto&) { return min(x, 1); }},
    {"argmax", [](auto& x, auto&) { return argmax(x, 1); }},
    {"argmin", [](auto& x, auto&) { return argmin(x, 1); }},
    {"all", [](auto& x, auto&) { return all(x, 1); }},
    {"remainder", [](auto& x, auto&) { return remainder(x, 3); }},
    {"sum_to",
     [](auto& x, auto&) {
       return sum_to(x, {1, 5});
     }},
    {"cumsum", [](auto& x, auto&) { return cumsum(x, 1); }},
    {"cumprod", [](auto& x, auto&) { return cumprod(x, 1); }},
    {"sort", [](auto& x, auto&) { return sort(x, 1, SortOrder::descending); }},
    {"argsort", [](auto& x, auto&) { return argsort(x, 0); }},
    {"topk", [](auto& x, auto&) { return topk(x, 2, 1).values; }},
    {"index_select",
     [](auto& x, auto&) {
       return index_select(x, 1, tensor({4, 0, 4}, DType::i64));
     }},
    {"scatter_add",
     [](auto& x, auto& y) {
       return scatter_add(x, 1, zeros({4, 5}, DType::i64), y);
     }},
    {"masked_fill", [](auto& x, auto& y) { return masked_fill(x, y, 7); }},
    {"tril", [](auto& x, auto&) { return tril(x); }},
    {"triu", [](auto& x, auto&) { return triu(x); }},
    {"cat",
     [](auto& x, auto& y) {
       return cat({x, y}, 1);
     }},
    {"pad",
     [](auto& x, auto&) {
       return pad(x, {{1, 0}, {0, 2}}, 9);
     }},
    {"place",
     [](auto& x, auto&) {
       return place(x, {4, 12}, 1, 2, 2);
     }},
    {"matmul", [](auto& x, auto& y) { return matmul(x, transpose(y)); }},
    {"contiguous", [](auto& x, auto&) { return contiguous(transpose(x)); }},
};

}  // namespace

TEST_CASE("dtypes: f32, f64 and i64 agree on whole numbers") {
  Generator generator(1);
  const Tensor x = to(uniform({4, 5}, generator, -5, 6), DType::i64),
               y = to(uniform({4, 5}, generator, -5, 6), DType::i64);
  for (const auto& [name, run] : operations) {
    CAPTURE(name);
    const Tensor expected = run(x, y);
    for (DType dtype : {DType::f32, DType::f64}) {
      const Tensor result = run(to(x, dtype), to(y, dtype));
      CHECK(result.shape() == expected.shape());
      CHECK(to_vector(result) == to_vector(expected));
      CHECK(result.dtype() == (std::string(name).starts_with("arg") ? DType::i64 : dtype));
    }
    CHECK(expected.dtype() == DType::i64);
  }
}

TEST_CASE("dtypes: names and sizes") {
  CHECK(name_of(DType::f32) == "f32");
  CHECK(fmt::format("{} {}", DType::f64, DType::i64) == "f64 i64");
  CHECK(size_of(DType::f32) == 4);
  CHECK(size_of(DType::f64) == 8);
  CHECK(size_of(DType::i64) == 8);
  CHECK_FALSE(is_float(DType::i64));
}

TEST_CASE("i64 takes whole numbers only, wherever a number comes from") {
  CHECK_THROWS_WITH(
      tensor({1, 2.5}, DType::i64),
      "tensor: 2.5 is not a 64-bit whole number, and i64 holds nothing else (f64 does; to(x, DType::f64) converts)");
  CHECK_THROWS_AS(full({2}, 0.5, DType::i64), DTypeError);
  CHECK_THROWS_AS(arange(0, 2, 0.5, DType::i64), DTypeError);
  CHECK_THROWS_AS(masked_fill(arange(3), tensor({1, 0, 0}), -inf), DTypeError);
  CHECK_THROWS_AS(clamp(arange(3), 0.5, 2), DTypeError);
  CHECK(to_vector(clamp(arange(4), -inf, 2)) == std::vector<double>{0, 1, 2, 2});
  CHECK_THROWS_AS(to(tensor({inf}), DType::i64), DTypeError);
  CHECK_THROWS_AS(to(tensor({std::nan("")}), DType::i64), DTypeError);
  CHECK(to_vector(to(tensor({-2.7, 2.7}), DType::i64)) == std::vector<double>{-2, 2});
}

TEST_CASE("an i64 prints exactly, however large") {
  CHECK(to_string(add(full({1}, 9007199254740992.0, DType::i64), 1)) == "[9007199254740993]");
}

}  // namespace regard

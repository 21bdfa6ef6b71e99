// Every operation on shapes (0), (2, 0, 3) and (): tensors without elements, and tensors without axes.
#include "tensor/all.h"
#include "tests/catch.h"

#include <functional>

namespace regard {

namespace {

using Unary = std::function<Tensor(const Tensor&)>;
using Binary = std::function<Tensor(const Tensor&, const Tensor&)>;

const Shape shapes[] = {{0}, {2, 0, 3}, {}};

const std::pair<const char*, Unary> elementwise[] = {
    {"exp", exp},
    {"log", log},
    {"sqrt", sqrt},
    {"rsqrt", rsqrt},
    {"square", square},
    {"sin", sin},
    {"cos", cos},
    {"tanh", tanh},
    {"erf", erf},
    {"sigmoid", sigmoid},
    {"softplus", softplus},
    {"relu", relu},
    {"silu", silu},
    {"abs", abs},
    {"is_nan", is_nan},
    {"leaky_relu", [](const Tensor& x) { return leaky_relu(x); }},
    {"gelu", [](const Tensor& x) { return gelu(x); }},
    {"clamp", [](const Tensor& x) { return clamp(x, 0, 1); }},
    {"number", [](const Tensor& x) { return 1 / (2 - pow(x, 3) * 2 + 1) - maximum(x, 1); }},
    {"remainder", [](const Tensor& x) { return remainder(x, 2); }},
    {"where", [](const Tensor& x) { return where(x, x, 0); }},
    {"repeat_interleave", [](const Tensor& x) { return squeeze(repeat_interleave(unsqueeze(x, 0), 1, 0), 0); }},
    {"compare", [](const Tensor& x) { return less(x, 1) * greater_equal(x, 0); }},
    {"negate", [](const Tensor& x) { return -x; }},
    {"masked_fill", [](const Tensor& x) { return masked_fill(x, tensor(1), 0); }},
    {"contiguous", [](const Tensor& x) { return contiguous(x); }},
    {"to", [](const Tensor& x) { return to(x, DType::i64); }},
    {"zeros_like", zeros_like},
    {"ones_like", ones_like},
    {"expand", [](const Tensor& x) { return expand(x, x.shape()); }},
    {"reshape", [](const Tensor& x) { return reshape(reshape(x, flatten(x).shape()), x.shape()); }},
    {"squeeze", [](const Tensor& x) { return squeeze(unsqueeze(x, 0)); }},
    {"stack",
     [](const Tensor& x) {
       return select(stack({x, x}, 0), 0, 1);
     }},
    {"pad", [](const Tensor& x) { return pad(x, std::vector<AxisPadding>(static_cast<std::size_t>(x.rank()))); }},
    {"sum_to", [](const Tensor& x) { return sum_to(x, x.shape()); }},
};

const std::pair<const char*, Binary> pairs[] = {
    {"add", [](auto& a, auto& b) { return add(a, b); }},
    {"subtract", [](auto& a, auto& b) { return subtract(a, b); }},
    {"multiply", [](auto& a, auto& b) { return multiply(a, b); }},
    {"divide", [](auto& a, auto& b) { return divide(a, b); }},
    {"pow", [](auto& a, auto& b) { return pow(a, b); }},
    {"maximum", [](auto& a, auto& b) { return maximum(a, b); }},
    {"minimum", [](auto& a, auto& b) { return minimum(a, b); }},
    {"equal", [](auto& a, auto& b) { return equal(a, b); }},
    {"not_equal", [](auto& a, auto& b) { return not_equal(a, b); }},
    {"less_equal", [](auto& a, auto& b) { return less_equal(a, b); }},
    {"greater", [](auto& a, auto& b) { return greater(a, b); }},
    {"where", [](auto& a, auto& b) { return where(a, a, b); }},
};

// The shape stays.
const std::pair<const char*, Unary> along_last_axis[] = {
    {"softmax", [](const Tensor& x) { return softmax(x, -1); }},
    {"log_softmax", [](const Tensor& x) { return log_softmax(x, -1); }},
    {"cumsum", [](const Tensor& x) { return cumsum(x, -1); }},
    {"cumprod", [](const Tensor& x) { return cumprod(x, -1); }},
    {"sort", [](const Tensor& x) { return sort(x, -1); }},
    {"argsort", [](const Tensor& x) { return argsort(x, -1); }},
    {"topk", [](const Tensor& x) { return topk(x, x.size(-1), -1).values; }},
    {"flip", [](const Tensor& x) { return flip(x, -1); }},
    {"slice", [](const Tensor& x) { return slice(x, -1, 0); }},
    {"cat",
     [](const Tensor& x) {
       return cat({x, slice(x, -1, 0, 0)}, -1);
     }},
    {"split", [](const Tensor& x) { return split(x, {x.size(-1)}, -1)[0]; }},
    {"place", [](const Tensor& x) { return place(x, x.shape(), x.rank() - 1, 0, 1); }},
    {"gather", [](const Tensor& x) { return gather(x, -1, zeros(x.shape(), DType::i64)); }},
    {"scatter_add", [](const Tensor& x) { return scatter_add(x, -1, zeros(x.shape(), DType::i64), x); }},
    {"index_select", [](const Tensor& x) { return index_select(x, -1, arange(x.size(-1))); }},
    {"transpose", [](const Tensor& x) { return transpose(x, -1, -1); }},
};

const std::pair<const char*, Unary> over_all[] = {
    {"sum", [](const Tensor& x) { return sum(x); }}, {"mean", [](const Tensor& x) { return mean(x); }},
    {"var", [](const Tensor& x) { return var(x); }}, {"logsumexp", [](const Tensor& x) { return logsumexp(x); }},
    {"all", [](const Tensor& x) { return all(x); }}, {"prod", [](const Tensor& x) { return prod(x); }},
    {"any", [](const Tensor& x) { return any(x); }},
};

}  // namespace

TEST_CASE("zero size: element by element, the shape stays") {
  for (const Shape& shape : shapes)
    for (const auto& [name, f] : elementwise) {
      CAPTURE(name, to_string(shape));
      CHECK(f(ones(shape)).shape() == shape);
    }
}

TEST_CASE("zero size: two operands, which broadcast") {
  for (const Shape& shape : shapes)
    for (const auto& [name, f] : pairs) {
      CAPTURE(name, to_string(shape));
      const Tensor x = ones(shape);
      CHECK(f(x, x).shape() == shape);
      CHECK(f(x, ones({})).shape() == shape);
      CHECK(f(ones({}), x).shape() == shape);
      CHECK(f(unsqueeze(x, 0), ones(Shape::filled(x.rank() + 1, 1))).numel() == x.numel());
    }
}

TEST_CASE("zero size: along an axis, which a single number does not have") {
  for (const auto& [name, f] : along_last_axis) {
    CAPTURE(name);
    CHECK(f(ones({0})).shape() == Shape{0});
    CHECK(f(ones({2, 0, 3})).shape() == Shape{2, 0, 3});
    CHECK(f(transpose(ones({2, 3, 0}), 1, 2)).shape() == Shape{2, 0, 3});
    CHECK_THROWS_WITH(f(ones({})), Catch::Matchers::ContainsSubstring("of shape (), which has no axes"));
  }
}

TEST_CASE("zero size: reductions over everything, and over the empty axis") {
  for (const auto& [name, f] : over_all)
    for (const Shape& shape : shapes) {
      CAPTURE(name, to_string(shape));
      CHECK(f(ones(shape)).shape() == Shape{});
    }
  CHECK(sum(ones({2, 0, 3}), 1).shape() == Shape{2, 3});
  CHECK(mean(ones({2, 0, 3}), {0, 2}).shape() == Shape{0});
  for (const auto f : {sum, mean, max, min, logsumexp})
    CHECK_THROWS_WITH(f(ones({}), 0, KeepDim::no), Catch::Matchers::ContainsSubstring("which has no axes"));
  CHECK(max(tensor(3)).item() == 3);
  CHECK(sum_to(ones({2, 0, 3}), {3}).shape() == Shape{3});
}

TEST_CASE("zero size: index tensors without elements, or of one number") {
  CHECK(one_hot(zeros({2, 0}, DType::i64), 3).shape() == Shape{2, 0, 3});
  CHECK(one_hot(zeros({}, DType::i64), 3).shape() == Shape{3});
  CHECK(one_hot(zeros({0}, DType::i64), 0).shape() == Shape{0, 0});
  CHECK(tril(ones({2, 0, 3})).shape() == Shape{2, 0, 3});
  CHECK(triu(ones({0, 0})).shape() == Shape{0, 0});
  CHECK(gather(ones({3, 2}), 0, zeros({0, 2}, DType::i64)).shape() == Shape{0, 2});
  CHECK(index_select(ones({2, 0, 3}), 2, tensor({0, 2, 2, 1}, DType::i64)).shape() == Shape{2, 0, 4});
}

TEST_CASE("zero size: products") {
  CHECK(to_vector(matmul(ones({2, 0}), ones({0, 3}))) == std::vector<double>(6, 0));
  CHECK(matmul(ones({0, 2}), ones({2, 3})).shape() == Shape{0, 3});
  CHECK(matmul(ones({2, 0, 3}), ones({3, 4})).shape() == Shape{2, 0, 4});
  CHECK(matmul(ones({0, 2, 3}), ones({3, 2})).shape() == Shape{0, 2, 2});
  CHECK(matmul(ones({5, 0}), ones({0})).shape() == Shape{5});
  CHECK(outer(ones({0}), ones({3})).shape() == Shape{0, 3});
}

TEST_CASE("zero size: random numbers, comparisons and lists") {
  Generator generator(1);
  for (const Shape& shape : shapes) {
    CHECK(uniform(shape, generator).shape() == shape);
    CHECK(normal(shape, generator).shape() == shape);
    CHECK(identical(ones(shape), ones(shape)));
    CHECK(allclose(ones(shape), ones(shape)));
    CHECK(static_cast<std::int64_t>(to_vector(ones(shape)).size()) == shape.numel());
  }
  CHECK(generator.position() == 2);
}

}  // namespace regard

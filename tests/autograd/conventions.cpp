#include "autograd/all.h"
#include "tests/autograd/leaf.h"
#include "tests/catch.h"

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

using namespace regard;

namespace {

constexpr double unseen = std::numeric_limits<double>::infinity();

// The gradients of the sum of f at x.
template <class F>
Numbers slopes(F f, const Nested& at) {
  Variable x = parameter(tensor(at, DType::f64));
  sum(f(x)).backward();
  return to_vector(x.gradient().value());
}

}  // namespace

TEST_CASE("at a kink one slope is chosen, and it is always the same") {
  CHECK(slopes([](const Variable& x) { return relu(x); }, {-1, 0, 1}) == Numbers{0, 0, 1});
  CHECK(slopes([](const Variable& x) { return leaky_relu(x, 0.1); }, {-1, 0, 1}) == Numbers{0.1, 0.1, 1});
  CHECK(slopes([](const Variable& x) { return abs(x); }, {-2, 0, 2}) == Numbers{-1, 0, 1});
  CHECK(slopes([](const Variable& x) { return clamp(x, -1, 1); }, {-2, -1, 0, 1, 2}) == Numbers{0, 1, 1, 1, 0});
}

TEST_CASE("equals share a gradient") {
  CHECK(slopes([](const Variable& x) { return max(x); }, {3, 1, 3}) == Numbers{0.5, 0, 0.5});
  CHECK(slopes([](const Variable& x) { return min(x, 1); }, {{2, 2}, {5, 4}}) == Numbers{0.5, 0.5, 0, 1});
  CHECK(slopes([](const Variable& x) { return maximum(x, 2.0); }, {1, 2, 3}) == Numbers{0, 0.5, 1});
  CHECK(slopes([](const Variable& x) { return minimum(x, 2.0); }, {1, 2, 3}) == Numbers{1, 0.5, 0});
}

TEST_CASE("powers at 0") {
  CHECK(slopes([](const Variable& x) { return pow(x, 0); }, {0, 2}) == Numbers{0, 0});
  CHECK(slopes([](const Variable& x) { return pow(x, 2); }, {0, 3}) == Numbers{0, 6});
  // With respect to the exponent: 0ᵇ stays 0 as b > 0 moves.
  const auto zero_to = [](const Variable& b) { return pow(Variable(zeros({2}, DType::f64)), b); };
  CHECK(slopes(zero_to, {1, 2}) == Numbers{0, 0});
}

TEST_CASE("where keeps a NaN in the branch that was not taken out of the gradient") {
  const auto safe_sqrt = [](const Variable& x) {
    const Tensor good = greater(x, 0.0);
    return where(good, sqrt(where(good, x, Variable(ones({}, DType::f64)))), 0.0 * x);
  };
  CHECK(slopes(safe_sqrt, {4, -1}) == Numbers{0.25, 0});
  Variable poisoned = parameter(tensor({1, std::numeric_limits<double>::quiet_NaN()}, DType::f64));
  sum(where(tensor({1, 0}), poisoned, Variable(zeros({2}, DType::f64)))).backward();
  CHECK(to_vector(poisoned.gradient().value()) == Numbers{1, 0});
}

TEST_CASE("a slope of 0 stops an infinite gradient") {
  CHECK(slopes([](const Variable& x) { return sqrt(relu(x)); }, {-1, 4}) == Numbers{0, 0.25});
  CHECK(slopes([](const Variable& x) { return log(clamp(x, 0, 5)); }, {-1, 4}) == Numbers{0, 0.25});
  CHECK(slopes([](const Variable& x) { return log(maximum(x, 0.0)); }, {-1, 4}) == Numbers{0, 0.25});
  CHECK(slopes([](const Variable& x) { return sqrt(minimum(-x, 0.0) + 4.0); }, {-1, 3}) == Numbers{0, -0.5});
}

TEST_CASE("gelu: large numbers have the slopes 0 and 1, and no bend") {
  for (const DType dtype : {DType::f32, DType::f64})
    for (const GeluForm form : {GeluForm::erf, GeluForm::tanh}) {
      const Variable far = parameter(tensor({1e20, -1e20}, dtype));
      CHECK(to_vector(grad({sum(gelu(far, form))}, {far})[0].value() + zeros({2}, dtype)) == Numbers{1, 0});
      CHECK_THROWS_AS(gelu_tanh_gradient(ones({1}, dtype), far.value()), ShapeError);
      const auto slope = grad({sum(gelu(far, form))}, {far}, {.create_graph = true});
      CHECK(to_vector(slope[0].value() + zeros({2}, dtype)) == Numbers{1, 0});
      CHECK(to_vector(grad({sum(slope[0])}, {far})[0].value() + zeros({2}, dtype)) == Numbers{0, 0});
    }
}

TEST_CASE("gelu: slopes of both forms keep their digits where they are all but 0") {
  const double root = std::sqrt(2 / std::acos(-1.0));
  const auto by_tanh = [&](double x) {  // s + 2x·s·(1 − s)·u′, s = 1/(1 + e^−2u)
    const double u = root * (x + 0.044715 * x * x * x), s = 1 / (1 + std::exp(-2 * u));
    return s + 2 * x * s * (1 - s) * root * (1 + 3 * 0.044715 * x * x);
  };
  const auto by_erf = [&](double x) {  // Φ(x) + x·φ(x)
    return std::erfc(-x * std::sqrt(0.5)) / 2 + x * root / 2 * std::exp(-x * x / 2);
  };
  const std::pair<GeluForm, std::function<double(double)>> forms[] = {{GeluForm::tanh, by_tanh},
                                                                      {GeluForm::erf, by_erf}};
  for (const auto& [form, slope_at] : forms)
    for (const auto& [dtype, tolerance] : {std::pair{DType::f64, 1e-13}, {DType::f32, 1e-5}})
      for (const double at : {-5.0, -6.0, -8.0}) {
        INFO(at << ", " << name_of(dtype) << (form == GeluForm::erf ? ", by erf" : ", by tanh"));
        const Variable x = parameter(tensor({at}, dtype));
        for (const bool create_graph : {false, true})  // by the kernel, and from operations
          CHECK(grad({sum(gelu(x, form))}, {x}, {.create_graph = create_graph})[0].item() ==
                Approx(slope_at(at)).epsilon(tolerance));
      }
}

TEST_CASE("logsumexp of nothing but −∞ has gradient 0, and single −∞ are skipped") {
  const auto f = [](const Variable& x) { return logsumexp(x, -1); };
  CHECK(slopes(f, {{-unseen, -unseen}, {-unseen, 3}}) == Numbers{0, 0, 0, 1});
}

TEST_CASE("softmax gives masked positions no weight and no gradient") {
  const auto f = [](const Variable& x) { return select(softmax(x, -1), -1, 1); };
  const auto g = slopes(f, {0, 0, -unseen});
  CHECK(g == Numbers{-0.25, 0.25, 0});
}

TEST_CASE("repeated indexes collect") {
  const auto f = [](const Variable& x) { return index_select(x, 0, tensor({1, 1, 1, 0}, DType::i64)); };
  CHECK(slopes(f, {1, 2, 3}) == Numbers{1, 3, 0});
}

TEST_CASE("a batch of products with one matrix is one product: same values and gradients") {
  Generator generator(5);
  Variable x = parameter(normal({3, 4, 2}, generator, 0, 1, DType::f64)),
           w = parameter(normal({2, 5}, generator, 0, 1, DType::f64));
  const Variable y = matmul(x, w);
  CHECK(allclose(y.value(), matmul(x.value(), expand(w.value(), {3, 2, 5})), 1e-13, 1e-14));
  sum(square(y)).backward();
  const Tensor expected = sum(matmul(transpose(x.value()), multiply(y.value(), 2)), 0);
  CHECK(allclose(w.gradient().value(), expected, 1e-12, 1e-13));
}

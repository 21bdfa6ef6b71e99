// Regression by attention, and what goes wrong with it.
#include "nn/attention/nadaraya_watson.h"

#include "autograd/all.h"
#include "nn/attention/all.h"
#include "nn/optim/adam.h"
#include "tests/catch.h"

#include <cmath>

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

struct Points {
  Tensor x, y;
};

double truth(double x) { return 2 * std::sin(x) + std::pow(x, 0.8); }

// y = 2 sin x + x^0.8 + noise, for x in [0, 5).
Points noisy(std::int64_t count, std::uint64_t seed) {
  Generator generator(seed);
  const Tensor x = uniform({count}, generator, 0, 5, DType::f64);
  const Tensor noise = normal({count}, generator, 0, 0.5, DType::f64);
  return {x, 2 * sin(x) + pow(x, 0.8) + noise};
}

// The mean squared distance to the truth, without noise, over a fine grid.
double true_error(NadarayaWatson& regression) {
  const Tensor grid = linspace(0.05, 4.95, 99, DType::f64);
  const std::vector<double> at = to_vector(grid), found = to_vector(regression(grid).output.value());
  double sum = 0;
  for (std::size_t i = 0; i < at.size(); ++i) sum += std::pow(found[i] - truth(at[i]), 2);
  return sum / static_cast<double>(at.size());
}

double trained(NadarayaWatson& regression, RegressionTraining training, int steps) {
  optim::Adam optimizer(parameters(regression), {.learning_rate = 0.1});
  for (int step = 0; step < steps; ++step) {
    optimizer.zero_grad();
    regression.loss(training).backward();
    optimizer.step();
  }
  return regression.loss(training).item();
}

NadarayaWatson of(const Points& data, double bandwidth) {
  return NadarayaWatson(GaussianKernel::learned(bandwidth, DType::f64), data.x, data.y);
}

}  // namespace

TEST_CASE("regression: three points by hand") {
  // At x = 1 with w = 1: distances 1, 0, 1, so the weights are 1, √e, 1 over their sum.
  NadarayaWatson regression(GaussianKernel::fixed(1), tensor({0, 1, 2}, DType::f64), tensor({3, 5, 10}, DType::f64));
  const auto [y, weights] = regression(Variable(tensor({1.0}, DType::f64)));
  const double e = std::exp(0.5);
  CHECK(allclose(weights.value(), tensor({{1 / (2 + e), e / (2 + e), 1 / (2 + e)}}, DType::f64), 1e-14));
  CHECK(y.item() == Approx((13 + 5 * e) / (2 + e)).epsilon(1e-14));
  // Left out, the middle point is half of its neighbours' values: 6.5.
  CHECK(regression.fitted().output.value().at({1, 0}) == Approx(6.5).epsilon(1e-14));
}

TEST_CASE("regression: a point that sees itself memorises the noise; left out, it cannot") {
  auto narrow = of(noisy(40, 3), 1e-4);
  CHECK(narrow.loss(RegressionTraining::leaking).item() < 1e-12);
  CHECK(narrow.loss().item() > 0.2);  // the nearest neighbour has noise of its own
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Points data = noisy(50, seed);
    auto leaking = of(data, 0.5), honest = of(data, 0.5);
    CHECK(trained(leaking, RegressionTraining::leaking, 300) <
          0.7 * trained(honest, RegressionTraining::leave_one_out, 300));
    CHECK(true_error(leaking) > 1.3 * true_error(honest));
  }
}

TEST_CASE("regression: one w for each key overfits more than one w for all") {
  // What the training loss promises too much: on fresh data the loss is the true error and the variance of the noise.
  const auto optimism = [](auto& regression, double loss) { return true_error(regression) + 0.25 - loss; };
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Points data = noisy(50, seed);
    auto one = of(data, 0.5);
    NadarayaWatson many(GaussianKernel::per_key(50, 0.5, DType::f64), data.x, data.y);
    const double loss_of_one = trained(one, RegressionTraining::leave_one_out, 300);
    const double loss_of_many = trained(many, RegressionTraining::leave_one_out, 300);
    CHECK(loss_of_many < loss_of_one);
    CHECK(optimism(many, loss_of_many) > optimism(one, loss_of_one) + 0.02);
  }
}

TEST_CASE("regression: the gradient of each w is its formula; 0 is stationary and signs mean nothing") {
  // dL/dw_i = −w_i Σ_q g_q α_qi (y_i − ŷ_q)(x_q − x_i)², g_q = 2(ŷ_q − y_q)/n
  const Points data = noisy(7, 9);
  NadarayaWatson regression(GaussianKernel::per_key(7, 0.7, DType::f64), data.x, data.y);
  regression.loss().backward();
  const auto [fitted, weights] = regression.fitted();
  const Tensor row = data.x, column = unsqueeze(data.x, 1), predicted = fitted.value();
  const Tensor g = (predicted - unsqueeze(data.y, 1)) * (2.0 / 7);
  const Tensor expected = sum(g * weights.value() * (data.y - predicted) * square(column - row), 0) * (-1 / 0.7);
  CHECK(allclose(regression.attention.score.as<GaussianKernel>().w.gradient().value(), expected, 1e-12, 1e-14));

  auto flat = of(data, INFINITY), plus = of(data, 2), minus = of(data, -2);
  flat.loss().backward();
  CHECK(flat.attention.score.as<GaussianKernel>().w.gradient().item() == 0);
  CHECK(identical(plus.loss().value(), minus.loss().value()));
}

// Where each point stands twice and sees both, predictions are what they were, and so is the gradient of one w. A w of
// its own is left with half of it.
TEST_CASE("regression: a w for each key shares the gradient of one w with all others, so more keys get less each") {
  const Points data = noisy(7, 9), twice{cat({data.x, data.x}, 0), cat({data.y, data.y}, 0)};
  const auto gradient = [](const GaussianKernel& kernel, const Points& points, RegressionTraining training) {
    NadarayaWatson regression(kernel, points.x, points.y);
    regression.loss(training).backward();
    return regression.attention.score.as<GaussianKernel>().w.gradient().value();
  };
  const auto one = [&](const Points& points, RegressionTraining training) {
    return gradient(GaussianKernel::learned(0.7, DType::f64), points, training).item();
  };
  const auto each = [&](const Points& points, RegressionTraining training) {
    return gradient(GaussianKernel::per_key(points.x.size(0), 0.7, DType::f64), points, training);
  };
  for (const RegressionTraining training : {RegressionTraining::leave_one_out, RegressionTraining::leaking})
    CHECK(sum(each(data, training)).item() == Approx(one(data, training)).epsilon(1e-12));
  CHECK(one(twice, RegressionTraining::leaking) == Approx(one(data, RegressionTraining::leaking)).epsilon(1e-12));
  CHECK(allclose(slice(each(twice, RegressionTraining::leaking), 0, 0, 7),
                 each(data, RegressionTraining::leaking) * 0.5, 1e-12, 1e-14));
}

TEST_CASE("regression: a mean of signed w, and a softmax over the points of a grid, do not show the kernel") {
  const Points data = noisy(6, 4);
  const auto loss_with = [&](const Nested& w) {
    NadarayaWatson regression(GaussianKernel::per_key(6, 1, DType::f64), data.x, data.y);
    assign(regression.attention.score.as<GaussianKernel>().w, tensor(w, DType::f64));
    return regression.loss().value();
  };
  CHECK(identical(loss_with({2, -2, 2, -2, 2, -2}), loss_with({2, 2, 2, 2, 2, 2})));
  CHECK_FALSE(identical(loss_with({2, 2, 2, 2, 2, 2}), loss_with({0, 0, 0, 0, 0, 0})));  // 0 is the mean of the first

  // The kernel 2^(−u²) is 1 at 0. Over −1, 0, 1 softmax shares ½, 1, ½ out; over a grid twice as fine it shares more.
  const GaussianKernel kernel = GaussianKernel::fixed(1 / std::sqrt(2 * std::log(2)));
  const Variable middle = tensor({{0.0}}, DType::f64);
  const auto height = [&](std::int64_t points) {
    const Variable grid = linspace(-1, 1, points, DType::f64), keys = unsqueeze(grid, 1);
    CHECK(exp(kernel(middle, keys)).value().at({0, points / 2}) == 1);
    return Attention(kernel)(middle, keys, keys).weights.value().at({0, points / 2});
  };
  CHECK(height(3) == Approx(0.5).epsilon(1e-14));
  CHECK(height(5) == Approx(1 / (2 + 2 * std::pow(2, -0.25))).epsilon(1e-14));
}

TEST_CASE("regression: kernels by hand") {
  const Variable q = tensor({{0.0}}, DType::f64), k = tensor({{0.0}, {0.5}, {-1.0}, {3.0}}, DType::f64);
  const auto is = [](const Variable& found, const Tensor& expected) {
    return allclose(found.value(), expected, 1e-15, 1e-15);
  };
  CHECK(is(BoxcarKernel(1)(q, k), tensor({{0.5, 0.5, 0.5, 0}}, DType::f64)));
  CHECK(is(TriangularKernel(1)(q, k), tensor({{1, 0.5, 0, 0}}, DType::f64)));          // max(0, 1 − |u|)
  CHECK(is(EpanechnikovKernel(1)(q, k), tensor({{0.75, 0.5625, 0, 0}}, DType::f64)));  // ¾(1 − u²)
  CHECK(is(EpanechnikovKernel(2)(q, k), tensor({{0.75, 0.75 * (1 - 1.0 / 16), 0.5625, 0}}, DType::f64)));
  CHECK(is(GaussianKernel::fixed(2)(q, k), tensor({{0, -0.03125, -0.125, -1.125}}, DType::f64)));
  // The peak of the triangle is a kink: there it has slope 0, and no NaN.
  const Variable at = parameter(tensor({{0.0}}, DType::f64));
  sum(TriangularKernel(1)(at, k)).backward();
  CHECK(at.gradient().item() == 1);  // of the key at 0.5 alone
  // Nothing within the bandwidth: 0.
  NadarayaWatson regression(BoxcarKernel(1), tensor({0.0}, DType::f64), tensor({4.0}, DType::f64));
  CHECK(identical(regression(Variable(tensor({0.5, 7}, DType::f64))).output.value(), tensor({{4}, {0}}, DType::f64)));
}

TEST_CASE("regression: the Gaussian compares by distance, not by direction") {
  const Variable q = tensor({{1, 0}}, DType::f64),
                 k = tensor({{3, 0}, {0.9, 0.5}}, DType::f64);  // the first points the same way
  const Tensor gaussian = Attention(GaussianKernel::fixed(1))(q, k, k).weights.value();
  CHECK(gaussian.at({0, 1}) > gaussian.at({0, 0}));
  const Variable cosine = CosineScore({.dtype = DType::f64})(q, k);
  CHECK(cosine.value().at({0, 0}) > cosine.value().at({0, 1}));
}

TEST_CASE("regression: the data are buffers, and must come in pairs") {
  auto regression = of(noisy(6, 1), 1);
  CHECK(parameter_count(regression) == 1);
  CHECK_THROWS_WITH(NadarayaWatson(GaussianKernel{}, zeros({3}), zeros({4})),
                    ContainsSubstring("NadarayaWatson: x (3), y (4): there must be a y for each x"));
}

}  // namespace regard::nn

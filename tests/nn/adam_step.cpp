#include "nn/optim/adam.h"

#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/view.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/tensor/error_case.h"
#include "tests/tensor/threads.h"

#include <cmath>

namespace regard::optim {

TEST_CASE("adam_step: the first step goes by the learning rate, against the sign of the gradient") {
  // m̂ = g and v̂ = g², so w moves by η·g/|g|.
  Tensor w = f64({1, 1, 1}), m = zeros_like(w), v = zeros_like(w);
  adam_step(w, m, v, f64({3, -0.01, 0}), 1, {.learning_rate = 0.5, .epsilon = 0});
  CHECK(w.at({0}) == Approx(0.5).epsilon(1e-14));
  CHECK(w.at({1}) == Approx(1.5).epsilon(1e-14));
  CHECK(std::isnan(w.at({2})));  // 0/0: that is what ε is for
  CHECK(allclose(m, f64({0.3, -0.001, 0}), 1e-14, 0));
  CHECK(allclose(v, f64({0.009, 1e-7, 0}), 1e-12, 0));
}

TEST_CASE("adam_step: two steps by hand, with either decay") {
  // β₁ = β₂ = ½, η = 1, ε = 0, gradients 2 and then 4:  m = 1, 2.5;  v = 2, 9;  m̂ = 2, 10/3;  v̂ = 4, 12.
  // w = 10 − 1 − (10/3)/√12.
  const AdamOptions options{.learning_rate = 1, .beta1 = 0.5, .beta2 = 0.5, .epsilon = 0};
  Tensor w = f64({10}), m = zeros_like(w), v = zeros_like(w);
  adam_step(w, m, v, f64({2}), 1, options);
  CHECK(w.item() == Approx(9).epsilon(1e-14));
  adam_step(w, m, v, f64({4}), 2, options);
  CHECK(w.item() == Approx(9 - 10 / 3.0 / std::sqrt(12)).epsilon(1e-14));

  AdamOptions decay = options;
  decay.weight_decay = 0.25;  // coupled: the gradient is 2 + 0.25·10, and the first step is 1 all the same
  Tensor a = f64({10}), b = f64({10}), zero = zeros_like(a), zero_too = zeros_like(a);
  adam_step(a, zero, zero_too, f64({2}), 1, decay);
  CHECK(a.item() == Approx(9).epsilon(1e-14));
  CHECK(zero.item() == Approx(2.25).epsilon(1e-14));
  // decoupled: 10·(1 − 0.25) − 1
  Tensor m2 = zeros_like(b), v2 = zeros_like(b);
  adam_step(b, m2, v2, f64({2}), 1, decay, WeightDecay::decoupled);
  CHECK(b.item() == Approx(6.5).epsilon(1e-14));
}

namespace {

// Of one number, letter by letter and without decay.
void adam_definition(double& w, double& m, double& v, double g, double t, const AdamOptions& o) {
  m = o.beta1 * m + (1 - o.beta1) * g;
  v = o.beta2 * v + (1 - o.beta2) * g * g;
  const double m_hat = m / (1 - std::pow(o.beta1, t)), v_hat = v / (1 - std::pow(o.beta2, t));
  w -= o.learning_rate * m_hat / (std::sqrt(v_hat) + o.epsilon);
}

}  // namespace

TEST_CASE("adam_step: the definition, number by number, over twenty steps") {
  const std::int64_t count = 7;
  for (const double lambda : {0.0, 0.1})
    for (const auto decay : {WeightDecay::in_gradient, WeightDecay::decoupled}) {
      const AdamOptions options{.learning_rate = 0.1, .beta1 = 0.8, .beta2 = 0.95, .weight_decay = lambda};
      Tensor w = noise({count}, 1), m = zeros_like(w), v = zeros_like(w);
      std::vector<double> w1 = to_vector(w), m1(w1.size(), 0), v1 = m1;
      for (int t = 1; t <= 20; ++t) {
        const Tensor g = noise({count}, static_cast<std::uint64_t>(t + 1));
        adam_step(w, m, v, g, t, options, decay);
        for (std::size_t i = 0; i < w1.size(); ++i) {
          const bool is_decoupled = decay == WeightDecay::decoupled;
          const double slope = g.at({static_cast<std::int64_t>(i)}) + (is_decoupled ? 0 : lambda * w1[i]);
          if (is_decoupled) w1[i] *= 1 - options.learning_rate * lambda;
          adam_definition(w1[i], m1[i], v1[i], slope, t, options);
        }
        CHECK(allclose(w, tensor(w1, {count}, DType::f64), 1e-13, 1e-13));
        CHECK(allclose(m, tensor(m1, {count}, DType::f64), 1e-13, 1e-13));
        CHECK(allclose(v, tensor(v1, {count}, DType::f64), 1e-13, 1e-13));
      }
    }
}

TEST_CASE("adam_step: changes no tensor that somebody else holds, and copies none that nobody does") {
  Tensor w = f64({1, 2}), m = f64({0, 0}), v = f64({0, 0});
  const Tensor before = w, reversed = flip(w, 0);
  adam_step(w, m, v, f64({1, 1}), 1, {});
  CHECK(identical(before, f64({1, 2})));
  CHECK(identical(reversed, f64({2, 1})));
  CHECK(w.at({0}) < 1);
  const double* own = w.data<double>();
  adam_step(w, m, v, f64({1, 1}), 2, {});
  CHECK(w.data<double>() == own);

  Tensor repeated = expand(f64({1}), {3}), m3 = zeros({3}, DType::f64), v3 = zeros({3}, DType::f64);
  adam_step(repeated, m3, v3, f64({1, -1, 1}), 1, {.learning_rate = 1, .epsilon = 0});
  CHECK(allclose(repeated, f64({0, 2, 0}), 1e-14, 1e-14));
}

TEST_CASE("adam_step: the same bits for any number of threads", "[threads]") {
  const Tensor g = noise({100'003}, 1, DType::f32);
  const auto stepped = [&](int threads) {
    const Threads some(threads);
    Tensor w = noise(g.shape(), 2, DType::f32), m = zeros_like(w), v = zeros_like(w);
    adam_step(w, m, v, g, 1, {});
    adam_step(w, m, v, g, 2, {});
    return w;
  };
  const Tensor expected = stepped(1);
  for (const int threads : {2, 3, 5, 8}) CHECK(identical(stepped(threads), expected));
}

TEST_CASE("adam_step: what does not fit is refused") {
  const auto step = [](const Shape& w, const Shape& g, std::int64_t t) {
    Tensor value = zeros(w), m = zeros(w), v = zeros(w);
    adam_step(value, m, v, zeros(g), t, {});
  };
  check_errors({{[&] { step({2}, {2}, 0); }, "ValueError", "adam_step: steps are counted from 1, got 0"},
                {[&] { step({2}, {3}, 1); }, "ShapeError",
                 "adam_step: (2) and (3): values, averages and gradient must have one shape"}});
}

}  // namespace regard::optim

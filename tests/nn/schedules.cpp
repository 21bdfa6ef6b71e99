#include "nn/optim/clip.h"
#include "nn/optim/schedule.h"

#include "autograd/all.h"
#include "tests/catch.h"

#include <cmath>

namespace regard::optim {

TEST_CASE("schedules: WarmupInverseSqrt rises in equal steps and falls with the root") {
  const WarmupInverseSqrt schedule{.peak = 1, .warmup = 4};
  for (const auto& [t, rate] : {std::pair{0, 0.25}, {1, 0.5}, {2, 0.75}, {3, 1.0}, {15, 0.5}, {63, 0.25}})
    CHECK(schedule(t) == rate);
  // E^(−½) · min(n^(−½), n·warmup^(−3/2)), with steps n counted from 1
  const WarmupInverseSqrt paper{.peak = 1 / std::sqrt(512 * 4000.0), .warmup = 4000};
  for (const int n : {1, 17, 3999, 4000, 4001, 100000})
    CHECK(paper(n - 1) == Approx(std::pow(512, -0.5) * std::min(std::pow(n, -0.5), n * std::pow(4000, -1.5))));
}

TEST_CASE("schedules: WarmupCosine rises to its peak, and the cosine starts there and stays at its end") {
  const WarmupCosine schedule{.peak = 2, .warmup = 4, .total = 10, .end = 1};
  for (const auto& [t, rate] : {std::pair{0, 0.5}, {3, 2.0}, {4, 2.0}, {7, 1.5}, {10, 1.0}, {1000, 1.0}})
    CHECK(schedule(t) == rate);
  CHECK(schedule(6) == Approx(1.75).epsilon(1e-15));  // a third of the way: cos 60° = ½
  const WarmupCosine none{.peak = 2, .warmup = 0, .total = 10};
  CHECK(none(0) == 2);
}

namespace {

Variable with_gradient(const Tensor& gradient) {
  Variable w = parameter(zeros_like(gradient));
  set_gradient(w, gradient);
  return w;
}

}  // namespace

TEST_CASE("clip_norm: all gradients are one vector, which keeps its direction") {
  const Variable a = with_gradient(tensor({3})), b = with_gradient(tensor({{0, 4}})), none = parameter(ones({2}));
  CHECK(clip_norm({a, b, none}, 6) == 5);
  CHECK(identical(a.gradient().value(), tensor({3})));  // short enough
  CHECK(clip_norm({a, b, none}, 2.5) == 5);
  CHECK(identical(a.gradient().value(), tensor({1.5})));
  CHECK(identical(b.gradient().value(), tensor({{0, 2}})));
  CHECK_FALSE(none.gradient().defined());
  CHECK(clip_norm({}, 1) == 0);
}

TEST_CASE("clip_norm: gradients whose squares overflow f32 are clipped, and what is not finite is left") {
  const Variable huge = with_gradient(tensor({3e30, 4e30}));
  CHECK(clip_norm({huge}, 5) == Approx(5e30));
  CHECK(allclose(huge.gradient().value(), tensor({3, 4}), 1e-6, 0));
  const Variable broken = with_gradient(tensor({NAN, 8}));
  CHECK(std::isnan(clip_norm({broken}, 1)));
  CHECK(broken.gradient().value().at({1}) == 8);
  const Variable endless = with_gradient(tensor({INFINITY, 8}));
  CHECK(std::isinf(clip_norm({endless}, 1)));
  CHECK(endless.gradient().value().at({1}) == 8);
}

TEST_CASE("clip_value: each number by itself") {
  const Variable w = with_gradient(tensor({-3, 0.5, 2}));
  clip_value({w, parameter(ones({1}))}, 1);
  CHECK(identical(w.gradient().value(), tensor({-1, 0.5, 1})));
}

TEST_CASE("clipping: two leaves whose gradient is one Variable are clipped once each") {
  const Variable a = parameter(tensor({1, 1})), b = parameter(tensor({2, 2}));
  (a + b).backward({.gradient = tensor({3, 4}), .create_graph = true});
  clip_norm({a}, 1);
  CHECK(identical(b.gradient().value(), tensor({3, 4})));
}

TEST_CASE("schedules: a line stays at its end") {
  const LinearDecay line{.start = 5, .total = 4, .end = 1};
  for (const auto& [t, rate] : {std::pair{0, 5.0}, {1, 4.0}, {3, 2.0}, {4, 1.0}, {9, 1.0}}) CHECK(line(t) == rate);
}

}  // namespace regard::optim

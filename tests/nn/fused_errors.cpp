// Fused attention given what it cannot use, and scores and masks that are unusual, but right.
#include "autograd/all.h"
#include "autograd/attention/score.h"
#include "nn/attention/all.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

Variable noisy(const Shape& shape, std::uint64_t seed, DType dtype = DType::f64) {
  Generator generator(seed);
  return parameter(normal(shape, generator, 0, 1, dtype));
}

}  // namespace

TEST_CASE("fused attention: what it is not given, or given too much of, is named") {
  const Variable x = noisy({3, 4}, 1);
  CHECK_THROWS_WITH(fused_attention({}, x, x, x), ContainsSubstring("fused_attention: the score is empty"));
  CHECK_THROWS_WITH(modified({}, [](auto s, auto, auto, auto) { return s; }), ContainsSubstring("the score is empty"));
  CHECK_THROWS_WITH(fused_attention(shipped_scores::dot(1), x, {}, x),
                    ContainsSubstring("fused_attention: its argument k is an undefined Variable"));
  CHECK_THROWS_WITH(composed_attention(shipped_scores::dot(1), x, x, {}),
                    ContainsSubstring("composed_attention: its argument v is an undefined Variable"));
  CHECK_THROWS_WITH(fused_attention(shipped_scores::dot(1), x, x, x, {.parameters = ones({4}, DType::f64)}),
                    ContainsSubstring("parameters (4) are given, and the score has none"));
  CHECK_THROWS_WITH(fused_attention(shipped_scores::additive(), x, x, x, {.parameters = ones({3}, DType::f64)}),
                    ContainsSubstring("fused_attention: parameters (3) do not broadcast to keys (3, 4)"));
  CHECK_THROWS_WITH(fused_weights(shipped_scores::dot(1), x, x, x, {3}),
                    ContainsSubstring("fused_weights: query 3 of 3"));
  CHECK_THROWS_WITH(fused_weights(shipped_scores::dot(1), ones({4}), ones({4}), ones({4}), {0}),
                    ContainsSubstring("queries, keys and values are (…, L, D)"));
}

TEST_CASE("fused attention: a rule of its own whose mask does not fit is refused by the function that was called") {
  const Variable x = noisy({3, 4}, 1), batch = noisy({2, 3, 4}, 2);
  const auto by = [](ResolvedMask mask) { return [mask](const Shape&, DType, std::int64_t) { return mask; }; };
  const auto refused = [](const Variable& in, const MaskRule& mask, const char* why) {
    const FusedScore dot = shipped_scores::dot(1);
    CHECK_THROWS_WITH(fused_attention(dot, in, in, in, {.mask = mask}),
                      ContainsSubstring("fused_attention: the mask") && ContainsSubstring(why));
    CHECK_THROWS_WITH(composed_attention(dot, in, in, in, {.mask = mask}),
                      ContainsSubstring("composed_attention: the mask") && ContainsSubstring(why));
  };
  const std::vector<KeyRange> two{{0, 1}, {0, 2}};
  refused(x, by({.visible = {.ranges = two}}), "2 ranges, and scores (3, 3) need 3: one for each query");
  refused(batch, by({.visible = {.ranges = two, .per_sequence = true}}), "need 6: one for each query of each sequence");
  refused(x, by({.visible = {.per_sequence = true}}), "ranges for each sequence, and scores (3, 3) have none");
  refused(x, by({.visible = {.keep = ones({2, 3}, DType::f64)}}), "table (2, 3) does not broadcast to scores (3, 3)");
  refused(x, by({.visible = {.keep = ones({1, 3, 3}, DType::f64)}}), "table (1, 3, 3) does not broadcast");
  refused(x, by({.visible = {.keep = ones({3, 3}, DType::f32)}}), "table is f32, and the scores are f64");
  refused(x, by({.bias = ones({3}, DType::f64)}), "bias (3) does not broadcast to scores (3, 3)");
  refused(x, by({.bias = ones({3, 3}, DType::f32)}), "bias is f32, and the scores are f64");
  CHECK_NOTHROW(fused_attention(shipped_scores::dot(1), batch, batch, batch,
                                {.mask = by({.visible = {.keep = ones({2, 1, 3}, DType::f64)}})}));
}

TEST_CASE("attention: caps, windows and marks that mean nothing are refused") {
  for (const double cap : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    CHECK_THROWS_WITH(SoftCapped(ScaledDotProduct{}, cap), ContainsSubstring("it must be more than 0"));
  for (const std::int64_t width : {0, -1}) {
    CHECK_THROWS_WITH(sliding_window(width), ContainsSubstring("it must be 1 or more"));
    CHECK_THROWS_WITH(local_global(width, 1), ContainsSubstring("must be 1 or more"));
  }
  CHECK_THROWS_WITH(local_global(1, -1), ContainsSubstring("0 or more"));
  const Mask distances = Mask::by_position("near", [](const Tensor& q, const Tensor& k) { return abs(q - k); });
  CHECK_THROWS_WITH(distances.resolve({3, 4}, DType::f32), ContainsSubstring("neither 0 nor 1"));
  for (const DType dtype : {DType::f32, DType::i64})
    CHECK_THROWS_WITH(Mask::bias(zeros({3, 4}, dtype)).resolve({3, 4}, DType::f64),
                      ContainsSubstring("Mask::bias: it is"));
}

TEST_CASE("sliding window: one that is wider than all numbers hides nothing") {
  const Variable x = noisy({5, 2}, 1);
  const Mask wide = sliding_window(std::numeric_limits<std::int64_t>::max());
  const Tensor expected = fused_attention(shipped_scores::dot(1), x, x, x).value();
  CHECK(identical(fused_attention(shipped_scores::dot(1), x, x, x, {.mask = wide}).value(), expected));
  Attention attention(ScaledDotProduct{});
  CHECK(identical(attention(x, x, x, wide).output.value(), attention(x, x, x).output.value()));
}

TEST_CASE("fused attention: a score may do without queries, keys or parameters") {
  const std::vector<Variable> in{noisy({2, 5, 3}, 1), noisy({2, 7, 3}, 2), noisy({2, 7, 2}, 3), noisy({3}, 4)};
  // `moved` are the inputs that the output depends on: what is the same for all keys does not change their weights.
  const auto check = [&](const FusedScore& score, const std::vector<std::size_t>& moved) {
    const auto call = [&](const auto& attention, const std::vector<Variable>& x) {
      return attention(score, x[0], x[1], x[2],
                       FusedOptions{.parameters = score.needs_parameters ? x[3] : Variable(), .mask = Mask::causal(2)});
    };
    CHECK(allclose(call(fused_attention, in).value(), call(composed_attention, in).value(), 1e-12, 1e-13));
    std::vector<Variable> some;
    for (const std::size_t i : moved) some.push_back(in[i]);
    const GradcheckReport report = gradcheck(
        [&](const auto& x) {
          std::vector<Variable> all = in;
          for (std::size_t n = 0; n < moved.size(); ++n) all[moved[n]] = x[n];
          return call(fused_attention, all);
        },
        some);
    INFO(fmt::format("{}", report));
    CHECK(report.passed());
    for (const auto& [i, create_graph] : {std::pair{0, false}, {0, true}, {1, false}, {1, true}}) {
      std::vector<Variable> alone;  // the only one with a gradient, which may be 0
      for (const Variable& x : in) alone.push_back(detach(x));
      alone[i] = in[i];
      const Tensor slope =
          grad({sum(square(call(fused_attention, alone)))}, {in[i]}, {.create_graph = create_graph})[0].value();
      CHECK(slope.shape() == in[i].shape());
      CHECK((max(abs(slope)).item() > 1e-6) == (std::ranges::count(moved, i) > 0));
    }
  };
  check(score([](auto, auto k, auto c) { return c * k; }), {1, 2, 3});
  check(score([](auto q, auto, auto c) { return c * q; }), {2});
  check(score([](auto, auto, auto c) { return tanh(c); }), {2});
  check(score([](auto q, auto) { return q * 2; }), {2});
  check(score([](auto, auto k) { return square(k); }), {1, 2});
}

TEST_CASE("fused attention: a slope that is infinite behind the mask spoils no derivative of any order") {
  const FusedScore distance = score([](auto a, auto b) { return -sqrt(square(a - b)); });
  const Variable x = noisy({4, 2}, 1);
  const auto attend = [&](const Variable& all) {
    return fused_attention(distance, all, all, all, {.mask = Mask::others()});
  };
  const auto slope = [&](bool create_graph) {
    return grad({sum(square(attend(x)))}, {x}, {.create_graph = create_graph})[0].value();
  };
  const Tensor once = slope(false), again = slope(true);
  CHECK(allclose(again, once, 1e-12, 1e-13));
  const GradcheckReport report = gradcheck([&](const auto& in) { return attend(in[0]); }, {x});
  INFO(fmt::format("{}", report));
  CHECK(report.passed());
}

TEST_CASE("fused attention: a NaN that a query does see reaches the same numbers as in composed attention") {
  const Variable q = noisy({3, 2}, 1), v = noisy({3, 2}, 3);
  Variable k = noisy({3, 2}, 2);
  k = parameter(
      where(equal(unsqueeze(arange(3, DType::f64), 1), 1.0), Tensor(full({}, std::nan(""), DType::f64)), k.value()));
  for (const FusedScore& score : {shipped_scores::dot(0.7), shipped_scores::squared_l2(0.5)}) {
    const FusedOptions options{.mask = Mask::causal()};
    const auto gradients = [&](auto& attention) { return grad({sum(attention(score, q, k, v, options))}, {q, k, v}); };
    const std::vector<Variable> fused = gradients(fused_attention), composed = gradients(composed_attention);
    for (std::size_t i = 0; i < fused.size(); ++i) {
      const auto is_nan = [](const Variable& x) { return to_vector(not_equal(x.value(), x.value())); };
      CHECK(is_nan(fused[i]) == is_nan(composed[i]));
    }
  }
  // What arrives is NaN: times the weight of a far key, which is 0, it is NaN as well.
  const Variable one = parameter(tensor({1}, {1, 1}, DType::f64)), keys = tensor({0, -800}, {2, 1}, DType::f64);
  const Variable values = parameter(tensor({1, 2}, {2, 1}, DType::f64));
  for (auto* attention : {&fused_attention, &composed_attention}) {
    const Variable y = (*attention)(shipped_scores::dot(1), one, keys, values, {});
    for (const double x : to_vector(grad({sum(y * std::nan(""))}, {values, one})[0].value())) CHECK(std::isnan(x));
  }
}

TEST_CASE("fused attention: with no keys at all, parameters of each key have a gradient of no numbers") {
  const Variable q = noisy({3, 4}, 1), none = parameter(zeros({0, 4}, DType::f64)), v = zeros({0, 2}, DType::f64);
  for (const Shape& shape : {Shape{0, 1}, Shape{0, 4}, Shape{1, 4}, Shape{4}}) {
    const Variable w = parameter(ones(shape, DType::f64));
    const auto gradients =
        grad({sum(fused_attention(shipped_scores::weighted_l2(), q, none, v, {.parameters = w}))}, {q, none, w});
    CHECK(gradients[2].shape() == shape);
    CHECK(max(abs(gradients[0].value())).item() == 0);
  }
}

}  // namespace regard::nn

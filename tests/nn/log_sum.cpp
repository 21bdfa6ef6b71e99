// log Σ eˢ of fused attention: what is needed to go on with a softmax.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {

// One query and one key: α = e/(1 + e) of the weight is left beside a sink of 0, and ∂o/∂q = 2·α·(1 − α).
TEST_CASE("log sum: a sink by hand, with the gradient of the sum") {
  const Variable q = parameter(ones({1, 1}, DType::f64)), k = parameter(ones({1, 1}, DType::f64));
  const Variable v = tensor({{2}}, DType::f64), sink = parameter(zeros({}, DType::f64));
  const auto [output, log_sum] = fused_attention_and_log_sum(shipped_scores::dot(1), q, k, v);
  CHECK(log_sum.item() == Approx(1).epsilon(1e-15));
  const Variable left = squeeze(output, -1) * sigmoid(log_sum - sink);
  const double alpha = std::exp(1) / (1 + std::exp(1));
  CHECK(left.item() == Approx(2 * alpha).epsilon(1e-15));
  const auto slopes = grad({left}, {q, k, sink});
  CHECK(slopes[0].item() == Approx(0.39322387).epsilon(1e-7));
  CHECK(slopes[1].item() == Approx(0.39322387).epsilon(1e-7));
  CHECK(slopes[2].item() == Approx(-2 * alpha * (1 - alpha)).epsilon(1e-14));
}

TEST_CASE("log sum: the same sink in attention, composed and fused, and a query that sees no key") {
  for (const Method method : {Method::composed, Method::fused}) {
    const Variable q = parameter(ones({1, 1, 1, 1}, DType::f64)), k = parameter(ones({1, 1, 1, 1}, DType::f64));
    const Variable v = full({1, 1, 1, 1}, 2, DType::f64);
    Attention attention(Sinks(ScaledDotProduct{}, 1, DType::f64), {.method = method});
    const Variable output = attention(q, k, v).output, sink = attention.score.as<Sinks>().sinks;
    CHECK(output.item() == Approx(2 * std::exp(1) / (1 + std::exp(1))).epsilon(1e-15));
    const auto slopes = grad({output}, {q, k, sink});
    for (const std::size_t of : {0u, 1u}) CHECK(slopes[of].item() == Approx(0.39322387).epsilon(1e-7));
    CHECK(slopes[2].item() == Approx(-0.39322387).epsilon(1e-7));  // a sum: (1)
    const Variable blind = attention(q, k, v, Mask::keep(zeros({1, 1}), MaskAxes::per_pair)).output;
    const auto none = grad({blind}, {q, k, sink}, {.allow_unused = true});
    for (const Variable& x : {blind, none[0], none[1], none[2]}) CHECK(sum(x).item() == 0);
  }
}

TEST_CASE("log sum: attention to two sets of keys, put together, is attention to all of them") {
  for (const DType dtype : {DType::f32, DType::f64}) {
    const double near = dtype == DType::f32 ? 1e-5 : 1e-12;
    const auto drawn = [&](const Shape& shape, std::uint64_t seed) { return parameter(noise(shape, seed, dtype)); };
    const Variable q = drawn({2, 4, 70, 8}, 1), k = drawn({2, 2, 90, 8}, 2), v = drawn({2, 2, 90, 5}, 3);
    const FusedScore dot = shipped_scores::dot(0.4);
    const auto of_keys = [&](std::int64_t begin, std::int64_t end) {
      return fused_attention_and_log_sum(dot, q, slice(k, -2, begin, end), slice(v, -2, begin, end));
    };
    const auto [first, first_sum] = of_keys(0, 33);
    const auto [second, second_sum] = of_keys(33, 90);
    const Variable share = unsqueeze(sigmoid(first_sum - second_sum), -1);
    const Variable merged = share * first + (1 - share) * second, whole = fused_attention(dot, q, k, v);
    CHECK(allclose(merged.value(), whole.value(), near, near));
    const auto of = [&](const Variable& y) { return grad({sum(sin(y))}, {q, k, v}); };
    const auto by_parts = of(merged), at_once = of(whole);
    for (std::size_t i = 0; i < 3; ++i) CHECK(allclose(by_parts[i].value(), at_once[i].value(), 10 * near, 10 * near));
  }
}

TEST_CASE("log sum: of what a query sees; of nothing it is −∞, and learns nothing") {
  const Variable q = parameter(noise({2, 3, 4}, 1)), k = parameter(noise({2, 5, 4}, 2)), v = noise({2, 5, 2}, 3);
  const auto [output, log_sum] =
      fused_attention_and_log_sum(shipped_scores::dot(1), q, k, v, {.mask = Mask::valid_lengths({3, 0})});
  CHECK(identical(select(log_sum.value(), 0, 1), full({3}, -INFINITY, DType::f64)));
  const Tensor scores = matmul(q.value(), transpose(k.value()));
  const Tensor seen = log(sum(exp(slice(select(scores, 0, 0), 1, 0, 3)), 1));
  CHECK(allclose(select(log_sum.value(), 0, 0), seen, 1e-13, 1e-14));
  const Tensor slopes = grad({sum(log_sum)}, {q})[0].value();
  CHECK(identical(select(slopes, 0, 1), zeros({3, 4}, DType::f64)));
}

}  // namespace regard::nn

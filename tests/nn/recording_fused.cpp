#include "tests/nn/recording.h"

#include "autograd/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {

TEST_CASE("recording: weights of fused attention are those of composed attention, of all queries or of some") {
  const auto check = [](const auto& score, const Mask& mask) {
    Generator a(1), b(1);
    MultiHeadAttention composed(score, heads_of(Method::composed), a), fused(score, heads_of(Method::fused), b);
    const Variable x = noise({2, 6, 8}, 3);
    Recording recording;
    for (const std::int64_t some : {0, 2, 99}) {
      const Recorder recorder(recording, {.sequence = 1, .some = some});
      composed(x, x, x, mask), fused(x, x, x, mask);
    }
    REQUIRE(recording.size() == 6);
    for (const std::size_t i : {0, 2, 4}) CHECK(allclose(recording[i + 1].weights, recording[i].weights, 1e-12, 1e-14));
    CHECK(identical(recording[2].weights,
                    cat({slice(recording[0].weights, 1, 1, 2), slice(recording[0].weights, 1, 3, 4)},
                        1)));  // evenly, but the first
    CHECK(identical(recording[4].weights, slice(recording[0].weights, 1, 1, 6)));
  };
  check(ScaledDotProduct{}, Mask::causal() & Mask::valid_lengths({6, 5}));
  check(LearnedAlibi(ScaledDotProduct{}, 2, DType::f64), Mask::causal());
  check(Rotary(ScaledDotProduct{}, RotaryLayout::halves), Mask());
  check(GaussianKernel::learned(2, DType::f64), Mask::bias(noise({6, 6}, 9), MaskAxes::per_pair));
}

TEST_CASE("recording: weights of very many pairs are computed a few queries at a time") {
  Attention composed(ScaledDotProduct{}), fused(ScaledDotProduct{}, {.method = Method::fused});
  const Variable x = noise({1, 4, 1000, 2}, 1, DType::f32);  // 4,000,000 pairs
  Recording recording;
  const Recorder recorder(recording);
  composed(x, x, x), fused(x, x, x);
  CHECK(allclose(recording[1].weights, recording[0].weights, 1e-4, 1e-6));
}

namespace {
// q·k and a number for each pair.
struct NumberedDot {
  PairNumber number;
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t) const {
    return {shipped_scores::with_numbers(shipped_scores::dot(1), number), q, k};
  }
};
}  // namespace

TEST_CASE("recording: fused attention without an axis of heads has one head, however large the batch") {
  const auto check = [](const PairNumber& number) {
    Attention fused(NumberedDot{number}, {.method = Method::fused}), composed(NumberedDot{number});
    const Variable q = noise({2, 4, 3}, 1), k = noise({2, 5, 3}, 2), v = noise({2, 5, 2}, 3);
    const Tensor expected = fused(q, k, v).output.value();
    Recording recording;
    const Recorder recorder(recording, {.sequence = 1});
    CHECK(identical(fused(q, k, v).output.value(), expected));
    const Tensor weights = slice(composed(q, k, v).weights.value(), 0, 1, 2);
    CHECK(allclose(recording[0].weights, weights, 1e-12, 1e-14));
  };
  check(per_head(parameter(f64({0.7}))));
  check(by_distance(parameter(noise({3, 1}, 4))));
}

TEST_CASE("recording: of a batch one sequence is kept, and nothing of the others") {
  for (const Method method : {Method::composed, Method::fused}) {
    Attention attention(ScaledDotProduct{}, {.method = method});
    const Variable q = parameter(noise({3, 2, 4, 5}, 1)), k = parameter(noise({3, 1, 4, 5}, 2)),
                   v = parameter(noise({3, 2, 4, 6}, 3)), c = noise({3, 2, 4, 6}, 4);
    Recording recording;
    Tensor weights, slopes;  // of the whole batch
    {
      const Recorder recorder(recording, {.sequence = 1});
      const AttentionOutput made = attention(q, k, v, Mask::valid_lengths({4, 3, 2}));
      const Variable& observed = made.weights.defined() ? made.weights : made.output;
      observed.on_gradient([&](const Variable& slope) {
        slopes = slope.value();
        return Variable();
      });
      if (made.weights.defined()) weights = made.weights.value();
      sum(made.output * c).backward();
    }
    const RecordedAttention& one = recording[0];
    CHECK(!(weights.defined() && one.weights.shares_buffer_with(weights)));
    CHECK(!one.gradient.shares_buffer_with(slopes));
    for (const Tensor* x : {&one.weights, &one.gradient, &one.formula.q, &one.formula.k}) {
      INFO(to_string(x->shape()));
      CHECK(x->owns_buffer());
    }
    for (const Variable* x : {&q, &k, &v}) CHECK(x->value().owns_buffer());  // nothing that was recorded holds it
    // The last key is hidden.
    const Tensor seen = slice(one.formula.k, 1, 0, 3);
    CHECK(identical(select(seen, 0, 1), slice(select(select(k.value(), 0, 1), 0, 0), 0, 0, 3)));
    CHECK(select(one.formula.k, 0, 0).shares_buffer_with(select(one.formula.k, 0, 1)));
    CHECK(identical(one.formula.q, select(q.value(), 0, 1)));
  }
}

}  // namespace regard::nn

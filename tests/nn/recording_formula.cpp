#include "tests/nn/recording.h"

#include "autograd/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {

TEST_CASE("recording: the formula gives the score, and softmax of the score the weight") {
  Generator g(1);
  const auto check = [](auto score, ScoreFormula::Kind kind) {
    Attention attention(score);
    const Variable q = noise({3, 4}, 1), k = noise({5, 4}, 2), v = noise({5, 2}, 3);
    Recording recording;
    const Recorder recorder(recording);
    const Tensor weights = attention(q, k, v).weights.value();
    const RecordedAttention& one = recording[0];
    REQUIRE(one.formula.kind == kind);
    for (std::int64_t i = 0; i < 3; ++i) {
      std::vector<double> scores;
      for (std::int64_t j = 0; j < 5; ++j) scores.push_back(by_hand(one.formula, 0, i, j));
      CHECK(allclose(softmax(tensor(scores, {5}, DType::f64), -1), select(weights, 0, i), 1e-12, 1e-14));
    }
  };
  using Kind = ScoreFormula::Kind;
  check(ScaledDotProduct{}, Kind::dot);
  check(BilinearScore({.query_size = 4, .key_size = 4, .dtype = DType::f64}, g), Kind::dot);
  check(CosineScore({.dtype = DType::f64}), Kind::dot);
  check(AdditiveScore({.query_size = 4, .key_size = 4, .hidden = 6, .bias = true, .dtype = DType::f64}, g),
        Kind::additive);
  check(GaussianKernel::fixed(0.7), Kind::gaussian);
  check(GaussianKernel::learned(0.7, DType::f64), Kind::gaussian);
  check(GaussianKernel{1, parameter(noise({5}, 8))}, Kind::gaussian);
  check(NegativeSquaredL2{0.3}, Kind::gaussian);
}

namespace {
struct OwnWeights {  // a formula, and weights that are no softmax of it
  Variable operator()(const Variable& q, const Variable& k) const { return matmul(q, transpose(k)); }
  ScoreFormula formula(const Variable& q, const Variable& k) const {
    return {.kind = ScoreFormula::Kind::dot, .q = q.value(), .k = k.value()};
  }
  Variable normalize(const Variable& scores, const Tensor& keep) const { return pairs::kept(sigmoid(scores), keep); }
};
}  // namespace

TEST_CASE("recording: where something is added to the score, or no softmax follows, there is no formula") {
  const auto kind = [](auto score, const Mask& mask) {
    Attention attention(score);
    const Variable x = noise({1, 2, 4, 4}, 1);
    Recording recording;
    const Recorder recorder(recording);
    attention(x, x, x, mask);
    return recording[0].formula.kind;
  };
  using Kind = ScoreFormula::Kind;
  CHECK(kind(Alibi(ScaledDotProduct{}, 2), {}) == Kind::other);
  CHECK(kind(SigmoidAttention(ScaledDotProduct{}), {}) == Kind::other);
  CHECK(kind(OwnWeights{}, {}) == Kind::other);
  CHECK(kind(ScaledDotProduct{}, Mask::bias(noise({4, 4}, 2), MaskAxes::per_pair)) == Kind::other);
  CHECK(kind(ScaledDotProduct{}, Mask::causal()) == Kind::dot);
}

TEST_CASE("recording: ∂loss/∂weight is the change of the loss with the weight, composed and fused") {
  for (const Method method : {Method::composed, Method::fused}) {
    Attention attention(ScaledDotProduct{}, {.method = method});
    const Variable q = parameter(noise({1, 1, 4, 3}, 1)), k = parameter(noise({1, 1, 4, 3}, 2)),
                   v = parameter(noise({1, 1, 4, 2}, 3)), c = noise({1, 1, 4, 2}, 4);
    Recording recording;
    {
      const Recorder recorder(recording);
      sum(attention(q, k, v, Mask::causal()).output * c).backward();
    }
    const Tensor slopes = recording[0].gradient;
    REQUIRE(slopes.defined());
    for (std::int64_t i = 0; i < 4; ++i)  // loss = Σᵢⱼ αᵢⱼ·(vⱼ·cᵢ)
      for (std::int64_t j = 0; j < 4; ++j) {
        double product = 0;
        for (std::int64_t f = 0; f < 2; ++f) product += v.value().at({0, 0, j, f}) * c.value().at({0, 0, i, f});
        CHECK(slopes.at({0, i, j}) == Approx(j <= i ? product : 0).margin(1e-12));
      }
  }
}

TEST_CASE("recording: without a backward pass there is no gradient, and with fused dropout none that is right") {
  Generator g(1);
  for (const Method method : {Method::composed, Method::fused}) {
    MultiHeadAttention heads(ScaledDotProduct{}, heads_of(method), g);
    const Variable x = parameter(noise({1, 4, 8}, 1));
    Recording recording;
    const Recorder recorder(recording);
    const Variable loss = sum(heads(x, x, x).output);
    CHECK(!recording[0].gradient.defined());
    loss.backward();
    CHECK(recording[0].gradient.defined());
  }
  MultiHeadAttention heads(ScaledDotProduct{}, heads_of(Method::fused, 0.5), g);
  const Variable x = parameter(noise({1, 4, 8}, 1));
  Recording recording;
  {
    const Recorder recorder(recording);
    const Variable loss = sum(heads(x, x, x).output);
    loss.backward();
  }
  CHECK(!recording[0].gradient.defined());
}

}  // namespace regard::nn

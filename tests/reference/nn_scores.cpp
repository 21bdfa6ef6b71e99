// Scores and positions have PyTorch's values and gradients.
#include "tests/reference/nn_check_score.h"

namespace regard::reference {
namespace {

using namespace nn;

void check_dot(const NnCase& test) {
  ScaledDotProduct score;
  if (test.record().numbers.count("scale") > 0) score.scale = test.number("scale");
  check_score(test, score);
}

void check_additive(const NnCase& test) {
  Generator generator(0);
  const Shape w_q = test.parameter("score.w_q.weight").shape(), w_k = test.parameter("score.w_k.weight").shape();
  const bool bias = test.record().parameters.count("score.w_k.bias") > 0;
  check_score(test, AdditiveScore({w_q[1], w_k[1], w_q[0], bias, test.dtype()}, generator));
}

void check_bilinear(const NnCase& test) {
  Generator generator(0);
  const Shape weight = test.parameter("score.weight").shape();
  check_score(test, BilinearScore({weight[0], weight[1], test.dtype()}, generator));
}

void check_gaussian(const NnCase& test) {
  const Tensor w = test.parameter("score.w");
  check_score(test, w.rank() == 0 ? GaussianKernel::learned(1, test.dtype())
                                  : GaussianKernel::per_key(w.size(0), 1, test.dtype()));
}

void check_rotary(const NnCase& test) {
  const std::string& name = test.record().name;
  const RotaryLayout layout =
      name == "rotary/halves" || name == "rotary/given positions" ? RotaryLayout::halves : RotaryLayout::interleaved;
  const std::int64_t features = name == "rotary/four of six features" ? 4 : 0;
  const Tensor packed = tensor({{{0, 1, 2, 0, 1}}, {{0, 0, 1, 2, 3}}}, DType::i64);
  check_score(test, Rotary(ScaledDotProduct{}, {.layout = layout, .features = features},
                           name == "rotary/given positions" ? packed : Tensor()));
}

void check_t5(const NnCase& test) {
  Generator generator(0);
  const T5Options options{
      .heads = 2,
      .direction = test.integer("both") == 1 ? T5Options::Direction::both : T5Options::Direction::causal,
      .buckets = test.integer("buckets"),
      .max_distance = test.integer("furthest"),
      .dtype = test.dtype()};
  check_score(test, T5RelativeBias(ScaledDotProduct{.scale = 1}, options, generator));
}

void check_sinusoidal(const NnCase& test) {
  test.check({}, [&](const Variables& in) {
    return Variables{{"y", SinusoidalPositions{}(in.at("x"), test.integer("offset"))}};
  });
}

void check_learned(const NnCase& test) {
  Generator generator(0);
  const Shape table = test.parameter("table").shape();
  LearnedPositions positions({table[0], table[1], test.dtype()}, generator);
  test.check_module(positions, [&](const Variables& in) {
    return Variables{{"y", positions(in.at("x"), test.integer("offset"))}};
  });
}

}  // namespace

TEST_CASE("scores and positions are PyTorch's") {
  check_family("scores", {{"dot", check_dot},
                          {"additive", check_additive},
                          {"bilinear", check_bilinear},
                          {"cosine", [](const NnCase& t) { check_score(t, CosineScore({.dtype = t.dtype()})); }},
                          {"squared l2", [](const NnCase& t) { check_score(t, NegativeSquaredL2{}); }},
                          {"l1", [](const NnCase& t) { check_score(t, NegativeL1{}); }},
                          {"gaussian", check_gaussian},
                          {"rotary", check_rotary},
                          {"alibi", [](const NnCase& t) { check_score(t, Alibi(ScaledDotProduct{}, 3)); }},
                          {"t5", check_t5},
                          {"sinusoidal", check_sinusoidal},
                          {"learned", check_learned}});
}

}  // namespace regard::reference

// Attention is PyTorch's: its own multi-head module, and the formulas of scores, positions and variants.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/reference/nn_record.h"

namespace regard::reference {
namespace {

using namespace nn;

Mask mask_of(const NnCase& test) {
  return test.record().inputs.count("keep") > 0 ? Mask::keep(test.input("keep")) : Mask();
}

template <AnyScore S>
void check_score(const NnCase& test, S score) {
  Attention attention(std::move(score));
  test.check_module(attention, [&](const Variables& in) {
    const auto [output, weights] = attention(in.at("q"), in.at("k"), in.at("v"), mask_of(test));
    return Variables{{"output", output}, {"weights", weights}};
  });
}

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
  const bool halves = test.record().name == "rotary/halves";
  check_score(test, Rotary(ScaledDotProduct{}, halves ? RotaryLayout::halves : RotaryLayout::interleaved));
}

void check_t5(const NnCase& test) {
  Generator generator(0);
  const T5Options options{.heads = 2,
                          .direction = test.integer("both") == 1 ? Direction::both : Direction::causal,
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

MultiHeadOptions heads_of(const NnCase& test) {
  return {.model = test.integer("model"),
          .heads = test.integer("heads"),
          .bias = test.record().parameters.count("w_o.bias") > 0,
          .dtype = test.dtype()};
}

void check_multi_head(const NnCase& test) {
  Generator generator(0);
  MultiHeadOptions options = heads_of(test);
  options.query_size = test.input("q").size(-1);
  options.key_size = test.input("k").size(-1);
  options.value_size = test.input("v").size(-1);
  MultiHeadAttention attention(ScaledDotProduct{}, options, generator);
  Mask mask;
  if (test.integer("causal") == 1) mask = mask & Mask::causal();
  if (test.record().inputs.count("lengths") > 0) mask = mask & Mask::valid_lengths(test.input("lengths"));
  test.check_module(attention, [&](const Variables& in) {
    const auto [output, weights] = attention(in.at("q"), in.at("k"), in.at("v"), mask);
    return Variables{{"output", output}, {"weights", weights}};
  });
}

void check_grouped(const NnCase& test) {
  Generator generator(0);
  MultiHeadOptions options = heads_of(test);
  options.key_value_heads = test.integer("groups");
  MultiHeadAttention attention(ScaledDotProduct{}, options, generator);
  test.check_module(attention, [&](const Variables& in) {
    const auto [output, weights] = attention(in.at("x"), in.at("x"), in.at("x"));
    return Variables{{"output", output}, {"weights", weights}};
  });
}

// Its data are constants to the module; here they are leaves, so the kernel is asked for what the module would ask it.
void check_regression(const NnCase& test) {
  const std::int64_t count = test.input("x").size(0);
  const Training training = test.integer("leave out") == 1 ? Training::leave_one_out : Training::leaking;
  const GaussianKernel kernel = test.integer("per key") == 1 ? GaussianKernel::per_key(count, 1, test.dtype())
                                                             : GaussianKernel::learned(1, test.dtype());
  NadarayaWatson regression(kernel, test.input("x"), test.input("y"));
  const Mask others = training == Training::leave_one_out ? Mask::drop(eye(count)) : Mask();
  test.check_module(regression, [&](const Variables& in) {
    const Variable x = unsqueeze(in.at("x"), 1), y = unsqueeze(in.at("y"), 1);
    const auto [fitted, weights] = regression.attention(x, x, y, others);
    CHECK(identical(regression.fitted(training).output.value(), fitted.value()));
    CHECK(identical(regression.loss(training).value(), mean(square(fitted - y)).value()));
    return Variables{{"fitted", fitted}, {"weights", weights}, {"loss", mean(square(fitted - y))}};
  });
}

}  // namespace

TEST_CASE("attention is PyTorch's") {
  check_family(
      "attention",
      {{"dot", check_dot},
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
       {"learned", check_learned},
       {"soft cap", [](const NnCase& t) { check_score(t, SoftCapped(ScaledDotProduct{}, t.number("cap"))); }},
       {"relu weights", [](const NnCase& t) { check_score(t, ReluAttention(ScaledDotProduct{})); }},
       {"sigmoid weights", [](const NnCase& t) { check_score(t, SigmoidAttention(ScaledDotProduct{})); }},
       {"talking heads", [](const NnCase& t) { check_score(t, TalkingHeads(ScaledDotProduct{}, 3, t.dtype())); }},
       {"differential",
        [](const NnCase& t) { check_score(t, DifferentialAttention(ScaledDotProduct{}, 0.5, t.dtype())); }},
       {"linear attention", [](const NnCase& t) { check_score(t, LinearAttention{}); }},
       {"multi-head", check_multi_head},
       {"grouped", check_grouped},
       {"regression", check_regression}});
}

}  // namespace regard::reference

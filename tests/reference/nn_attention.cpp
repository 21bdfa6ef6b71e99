// Attention is PyTorch's: its own multi-head module, and the formulas of variants and of regression.
#include "tests/reference/nn_check_score.h"

namespace regard::reference {
namespace {

using namespace nn;

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

// Its data are constants to the module; here they are leaves, so the score is asked for what the module would ask it.
void check_regression(const NnCase& test) {
  const std::int64_t count = test.input("x").size(0);
  const RegressionTraining training =
      test.integer("leave out") == 1 ? RegressionTraining::leave_one_out : RegressionTraining::leaking;
  const GaussianKernel kernel = test.integer("per key") == 1 ? GaussianKernel::per_key(count, 1, test.dtype())
                                                             : GaussianKernel::learned(1, test.dtype());
  NadarayaWatson regression(kernel, test.input("x"), test.input("y"));
  const Mask others = training == RegressionTraining::leave_one_out ? Mask::drop(eye(count)) : Mask();
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
      {{"soft cap", [](const NnCase& t) { check_score(t, SoftCapped(ScaledDotProduct{}, t.number("cap"))); }},
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

#include "autograd/all.h"
#include "autograd/gradcheck/gradcheck.h"
#include "examples/published/rotary_scaling.h"
#include "nn/attention/positions/rotary.h"
#include "nn/attention/scores/scaled_dot_product.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <cmath>

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

void check(const RotaryFrequencies& found, const std::vector<double>& wanted, double times = 1) {
  REQUIRE(found.of_pairs.size() == wanted.size());
  for (std::size_t j = 0; j < wanted.size(); ++j) CHECK(found.of_pairs[j] == Approx(wanted[j]).epsilon(1e-14));
  CHECK(found.times == Approx(times).epsilon(1e-14));
}

}  // namespace

// By a script from the papers' formulas, in their words: dimensions, wavelengths, ramps.
TEST_CASE("frequencies: each way to read longer texts gives the numbers of its paper") {
  check(rotary::plain(4), {1, 0.1, 0.01, 0.001});
  check(rotary::plain(2, 0.25), {1, 2});
  check(rotary::linear(4, 10000, 4), {0.25, 0.025, 0.0025, 0.00025});
  const rotary::DynamicNtk twice{.factor = 2, .trained = 512, .length = 2048};
  check(rotary::dynamic_ntk(4, 10000, twice),  // the slowest: 0.001/(2·4 − 1)
        {1, 0.052275795857471025, 0.0027327588325319844, 0.001 / 7});
  check(rotary::dynamic_ntk(4, 10000, {.factor = 2, .trained = 512, .length = 100}), {1, 0.1, 0.01, 0.001});
  // 2048/2π = 326 positions: pair 1 turns 33 times, pair 3 a third of a time; j = 1.01 and 2.51, so the mix goes from 1
  // to 3 and pair 2 is half 0.01, half 0.01/4.
  check(rotary::yarn(4, 10000, {.factor = 4, .trained = 2048}), {1, 0.1, 0.00625, 0.00025}, 1 + 0.1 * std::log(4));
  check(rotary::yarn(4, 150000, {.factor = 32, .trained = 4096, .whole = false}),
        {1, 0.050813274815461475, 0.00045648391922324086, 4.0999784818029795e-06}, 1.3465735902799727);
  CHECK(rotary::yarn(4, 10000, {.factor = 40, .trained = 4096, .weight = 0.707, .weight_of_all = 1}).times ==
        Approx(0.9210423553163399).epsilon(1e-14));
  check(rotary::llama3(8, 500000, {.factor = 8}),
        {1, 0.19392274474868576, 0.03760603093086393, 0.0072926647372171085, 0.0005248461609929547,
         3.428102195952591e-05, 6.647869871181236e-06, 1.2891731721515574e-06});
  const rotary::LongRope far{
      .short_factors = {1, 1, 1, 1}, .long_factors = {1, 1.5, 2, 8}, .factor = 32, .trained = 4096, .length = 4097};
  check(rotary::longrope(4, 10000, far), {1, 0.1 / 1.5, 0.005, 0.000125}, 1.1902380714238083);
  rotary::LongRope near = far;
  near.length = 4096, near.times = 2;
  check(rotary::longrope(4, 10000, near), {1, 0.1, 0.01, 0.001}, 2);
}

TEST_CASE("frequencies: rotary positions turn by those that are given, as many pairs as there are") {
  const Variable x = tensor({{1, 2, 3, 4, 5}}, DType::f64);  // at position 3
  const RotateOptions options{.layout = RotaryLayout::halves, .frequencies = {.of_pairs = {0.5, 0.25}, .times = 2}};
  const double c = std::cos(1.5), s = std::sin(1.5), c2 = std::cos(0.75), s2 = std::sin(0.75);
  const Tensor right =
      tensor({{2 * (c - 3 * s), 2 * (2 * c2 - 4 * s2), 2 * (3 * c + s), 2 * (4 * c2 + 2 * s2), 5}}, DType::f64);
  CHECK(allclose(rotate(x, 3, options).value(), right, 1e-14));
  CHECK(allclose(rotate(x, tensor({3}), options).value(), right, 1e-14));
  const auto turned = [&](const std::vector<Variable>& in) { return rotate(in[0], 3, options); };
  CHECK(gradcheck(turned, {x}, {.order = 2}).passed());
  CHECK_THROWS_WITH(rotate(slice(x, 1, 0, 3), 3, options), "rotate: 4 of 3 features cannot be turned in pairs");

  const Variable q = noise({1, 4}, 1), k = noise({1, 4}, 2);
  const auto score = [&](double times) {
    return AnyScore(Rotary(ScaledDotProduct{}, {.layout = RotaryLayout::halves, .frequencies = {{1, 0.1}, times}}))(q,
                                                                                                                    k)
        .item();
  };
  CHECK(score(1.5) == Approx(2.25 * score(1)).epsilon(1e-14));
}

TEST_CASE("frequencies: what is no frequency is refused") {
  CHECK_THROWS_WITH(rotary::plain(0), "rotary::plain: 0 pairs: there must be one or more");
  CHECK_THROWS_WITH(rotary::linear(4, 10000, 0), "rotary::linear: the factor is 0: it must be above 0, and finite");
  CHECK_THROWS_WITH(rotary::dynamic_ntk(1, 10000, {.factor = 2, .trained = 512, .length = 2048}),
                    ContainsSubstring("1 pairs: the slowest must be another"));
  CHECK_THROWS_WITH(rotary::llama3(4, 10000, {.factor = 8, .low = 4, .high = 4}), ContainsSubstring("must be below"));
  CHECK_THROWS_WITH(
      rotary::longrope(4, 10000, {.short_factors = {1}, .long_factors = {}, .factor = 4, .trained = 4, .length = 4}),
      "rotary::longrope: 1 factors for 4 pairs: there must be one for each");
}

}  // namespace regard::nn

#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <cmath>

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("positions: the sinusoidal table by hand, of odd sizes too") {
  const Tensor table = sinusoidal_table(2, 3, 4, DType::f64);  // positions 4 and 5; frequencies 1, 1, 10000^(−2/3)
  const double slow = std::pow(10000.0, -2.0 / 3);
  CHECK(
      allclose(table,
               tensor({{std::sin(4), std::cos(4), std::sin(4 * slow)}, {std::sin(5), std::cos(5), std::sin(5 * slow)}},
                      DType::f64),
               1e-15));
  CHECK(sinusoidal_table(3, 1).shape() == Shape{3, 1});
}

TEST_CASE("positions: to move on by d is to turn each pair by [[cos, sin], [-sin, cos]], wherever it stands") {
  const std::int64_t size = 6, by = 5;
  const Tensor from = sinusoidal_table(10, size, 0, DType::f64), to = sinusoidal_table(10, size, by, DType::f64);
  for (std::int64_t j = 0; j < size / 2; ++j) {
    const double angle = 5 * std::pow(10000.0, -2.0 * static_cast<double>(j) / static_cast<double>(size));
    const Tensor turn = tensor({{std::cos(angle), std::sin(angle)}, {-std::sin(angle), std::cos(angle)}}, DType::f64);
    const auto pair = [j](const Tensor& table) { return slice(table, 1, 2 * j, 2 * j + 2); };
    CHECK(allclose(pair(to), matmul(pair(from), transpose(turn)), 1e-12, 1e-13));
  }
}

TEST_CASE("positions: learned rows are parameters, and end") {
  Generator generator(1);
  LearnedPositions positions({.count = 4, .size = 3, .dtype = DType::f64}, generator);
  CHECK(parameter_count(positions) == 12);
  const Variable x = noise({2, 3, 3}, 2);
  CHECK(identical(positions(x, 1).value(), x.value() + slice(positions.table.value(), 0, 1, 4)));
  CHECK_THROWS_WITH(positions(x, 2), ContainsSubstring("needs positions up to 5, but the table is (4, 3)"));
}

TEST_CASE("positions: rotation by hand, and the two layouts are not the same") {
  const Variable x = tensor({{1, 2, 3, 4}}, DType::f64);  // at position 3; frequencies 1 and 1/100
  const double c = std::cos(3), s = std::sin(3), c2 = std::cos(0.03), s2 = std::sin(0.03);
  CHECK(allclose(rotate(x, 3, RotaryLayout::interleaved).value(),
                 tensor({{c - 2 * s, 2 * c + s, 3 * c2 - 4 * s2, 4 * c2 + 3 * s2}}, DType::f64), 1e-14));
  CHECK(allclose(rotate(x, 3, RotaryLayout::halves).value(),
                 tensor({{c - 3 * s, 2 * c2 - 4 * s2, 3 * c + s, 4 * c2 + 2 * s2}}, DType::f64), 1e-14));
  CHECK_THROWS_WITH(rotate(noise({2, 3}, 1), 0, RotaryLayout::halves), ContainsSubstring("D even"));
  CHECK_THROWS_WITH(rotate(noise({2, 4}, 1), 0, RotaryLayout::halves, 0),
                    "rotary positions: the base 0 of the frequencies must be above 0; 10000 is usual");
  CHECK_THROWS_AS(Rotary(ScaledDotProduct{}, RotaryLayout::halves, -1), ValueError);
}

TEST_CASE("positions: a rotated score depends on the distance alone, and lengths stay") {
  const Variable q = noise({1, 8}, 1), k = noise({1, 8}, 2);
  for (const RotaryLayout layout : {RotaryLayout::interleaved, RotaryLayout::halves}) {
    const auto score = [&](std::int64_t i, std::int64_t j) {
      return matmul(rotate(q, i, layout), transpose(rotate(k, j, layout))).item();
    };
    CHECK(score(7, 4) == Approx(score(103, 100)).epsilon(1e-12));
    CHECK(score(2, -1) == Approx(score(103, 100)).epsilon(1e-12));
    CHECK(score(7, 4) != Approx(score(7, 5)).epsilon(1e-3));
    CHECK(sum(square(rotate(q, 9, layout))).item() == Approx(sum(square(q)).item()).epsilon(1e-13));
  }
}

TEST_CASE("positions: slopes of ALiBi, for powers of two and others") {
  CHECK(to_vector(alibi_slopes(8, DType::f64)) ==
        std::vector<double>{1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64, 1.0 / 128, 1.0 / 256});
  CHECK(to_vector(alibi_slopes(3, DType::f64)) == std::vector<double>{1.0 / 16, 1.0 / 256, 1.0 / 4});
  CHECK(to_vector(alibi_slopes(1, DType::f64)) == std::vector<double>{1.0 / 256});
  CHECK(allclose(alibi_bias(1, 1, 4, 2, DType::f64) * 256.0, tensor({{{-2, -1, 0, -1}}}, DType::f64)));
  CHECK_THROWS_WITH(alibi_slopes(0), ContainsSubstring("one or more"));
}

TEST_CASE("positions: T5 buckets are exact for neighbours, and widen up to the last") {
  const T5Options causal{.heads = 1, .direction = T5Options::Direction::causal, .buckets = 8, .max_distance = 32};
  // Distances 0 … 40 back. 4 exact ones, then 4 that widen: borders at 4·8^(i/4), that is 4, 6.7, 11.3, 19.0.
  for (int d = 0; d <= 40; ++d) CHECK(t5_bucket(-d, causal) == (d < 4 ? d : d < 7 ? 4 : d < 12 ? 5 : d < 20 ? 6 : 7));
  CHECK(t5_bucket(2, causal) == 0);  // a key ahead
  const T5Options both{.heads = 1, .direction = T5Options::Direction::both, .buckets = 8, .max_distance = 32};
  CHECK(t5_bucket(-1, both) == 1);
  CHECK(t5_bucket(0, both) == 0);
  CHECK(t5_bucket(1, both) == 5);
  CHECK_THROWS_WITH(t5_bucket(0, {.heads = 1, .direction = T5Options::Direction::both, .buckets = 2}),
                    ContainsSubstring("two or more"));
}

TEST_CASE("positions: modifiers stack, and keep the weights of the score inside") {
  Generator generator(1);
  MultiHeadAttention heads(SoftCapped(Alibi(ReluAttention(ScaledDotProduct{}), 2), 5),
                           {.model = 4, .heads = 2, .dtype = DType::f64}, generator);
  const Variable x = noise({1, 3, 4}, 2);
  const Tensor weights = heads(x, x, x, Mask::causal()).weights.value();
  const Tensor sums = sum(weights, -1);
  CHECK(largest_difference(sums, ones_like(sums)) > 0.1);  // no softmax
}

TEST_CASE("positions: biases of each head refuse scores that have not those heads") {
  const auto in = [](const Shape& shape) { return Variable(ones(shape)); };
  using Catch::Matchers::ContainsSubstring;
  CHECK_THROWS_WITH(Alibi(ScaledDotProduct{}, 2)(in({2, 3, 4}), in({2, 5, 4}), 0),  // a batch, not heads
                    ContainsSubstring("Alibi: made for 2 heads, (B, H, L, …), and given (2, 3, 5)"));
  CHECK_THROWS_WITH(Alibi(ScaledDotProduct{}, 1)(in({2, 8, 3, 4}), in({2, 8, 5, 4}), 0),
                    ContainsSubstring("Alibi: made for 1 heads"));
  Generator generator(1);
  const T5RelativeBias relative(ScaledDotProduct{}, {.heads = 2, .direction = T5Options::Direction::both}, generator);
  CHECK_THROWS_WITH(relative(in({2, 3, 4}), in({2, 5, 4}), 0), ContainsSubstring("T5RelativeBias: made for 2 heads"));
}

TEST_CASE("positions: rotary positions may be given, for each sequence its own") {
  const Variable x = noise({2, 1, 3, 4});
  const RotateOptions options{.layout = RotaryLayout::halves, .base = 100};
  const Tensor positions = tensor({{{0, 0, 1}}, {{5, 6, 7}}}, DType::i64);  // padded by one on the left; later
  const Tensor y = rotate(x, positions, options).value();
  const auto piece = [&](std::int64_t b, std::int64_t i) {
    return slice(slice(Variable(x), 0, b, b + 1), 2, i, i + 1);
  };
  for (const auto& [b, i, at] : {std::tuple{0, 0, 0}, {0, 1, 0}, {0, 2, 1}, {1, 0, 5}, {1, 2, 7}})
    CHECK(identical(slice(slice(y, 0, b, b + 1), 2, i, i + 1),
                    rotate(piece(b, i), at, RotaryLayout::halves, 100).value()));
  CHECK_THROWS_WITH(rotate(x, arange(4), options),
                    "rotate: (2, 1, 3, 4): positions (4) are not (L), or all axes of it before D ((B, L) for all heads "
                    "is (B, 1, L))");
  CHECK_THROWS_WITH(rotate(noise({2, 2, 3, 4}), squeeze(positions, 1), options), ContainsSubstring("is (B, 1, L)"));
}

// Two documents in one sequence, and one that is padded on the left: each is computed as it would be alone.
TEST_CASE("positions: attention takes rotary positions that are given, composed and fused, and in decoding") {
  const Variable x = noise({1, 2, 7, 4});
  const Tensor positions = tensor({0, 1, 2, 0, 1, 2, 3}, DType::i64);
  const RotateOptions options{.layout = RotaryLayout::halves};
  Attention given(Rotary(ScaledDotProduct{}, options, positions)), counted(Rotary(ScaledDotProduct{}, options));
  Attention tiles(given.score, {.method = Method::fused});
  const auto second = [](const Variable& of) { return slice(of, 2, 3); };
  const Mask own = Mask::causal() & Mask::by_position("own", [](const Tensor& q, const Tensor& k) {
                     return equal(greater(q, 2), greater(k, 2));
                   });
  const Tensor alone = counted(second(x), second(x), second(x), Mask::causal()).output.value();
  CHECK(allclose(second(given(x, x, x, own).output).value(), alone, 1e-13, 1e-15));
  CHECK(allclose(second(tiles(x, x, x, own).output).value(), alone, 1e-12, 1e-14));
  const Variable last = slice(x, 2, 6);
  CHECK(allclose(given(last, x, x, own, 6).output.value(), slice(alone, 2, 3), 1e-13, 1e-15));
  CHECK_THROWS_WITH(given(x, cat({x, x}, 2), cat({x, x}, 2)),
                    ContainsSubstring("Rotary: positions (7) for 14 keys and queries: one is needed for each"));
  Attention nowhere(Rotary(ScaledDotProduct{}, options, zeros({}, DType::i64)));
  CHECK_THROWS_WITH(nowhere(x, x, x), ContainsSubstring("Rotary: positions () for 7 keys and queries"));
}

TEST_CASE("positions: rotary on a part of the features leaves the others alone") {
  const Variable x = noise({3, 6});
  for (const RotaryLayout layout : {RotaryLayout::interleaved, RotaryLayout::halves}) {
    const Tensor y = rotate(x, arange(3) + 2, {.layout = layout, .features = 4}).value();
    CHECK(identical(slice(y, 1, 4), slice(x.value(), 1, 4)));
    CHECK(identical(slice(y, 1, 0, 4), rotate(slice(x, 1, 0, 4), 2, layout).value()));
  }
  const Rotary score(ScaledDotProduct{}, {.layout = RotaryLayout::halves, .features = 2});
  CHECK(AnyScore(score)(x, x).shape() == Shape{3, 3});
  const auto turned = [&](std::int64_t features) {
    return rotate(x, arange(3), {.layout = RotaryLayout::halves, .features = features}).value();
  };
  for (const std::int64_t features : {-2, 3, 8})
    CHECK_THROWS_WITH(turned(features), fmt::format("rotate: {} of 6 features cannot be turned in pairs", features));
  CHECK(identical(turned(6), turned(0)));  // 0 is all of them
}

}  // namespace regard::nn

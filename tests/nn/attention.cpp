#include "nn/attention/attention.h"

#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>

namespace regard::nn {

TEST_CASE("attention: rows of a masked softmax, numbers known to four digits") {
  const Tensor scores = tensor({{{0.4140, -1.1542, -1.2127, 0.6286}, {-0.6033, 0.5189, -1.4756, -0.0650}},
                                {{-0.1864, 0.5557, 0.1935, -1.2823}, {0.1995, -1.6036, 1.3123, -0.0660}}},
                               DType::f64);
  const Tensor expected = tensor(
      {{{0.8275, 0.1725, 0, 0}, {0.2456, 0.7544, 0, 0}}, {{0.2192, 0.4604, 0.3205, 0}, {0.2377, 0.0392, 0.7232, 0}}},
      DType::f64);
  const Tensor keep = Mask::valid_lengths({2, 3}).table(scores.shape(), DType::f64);
  CHECK(largest_difference(masked_softmax(scores, 1, keep), expected) < 0.5001e-4);
}

TEST_CASE("attention: self-attention of three words, by hand") {
  const Variable x = tensor({{.7, .8}, {1.9, 2.2}, {3.1, 3.6}}, DType::f64);
  Attention unscaled(ScaledDotProduct{.scale = 1}), scaled(ScaledDotProduct{});
  CHECK(allclose(unscaled.score(x, x).value(),
                 tensor({{1.13, 3.09, 5.05}, {3.09, 8.45, 13.81}, {5.05, 13.81, 22.57}}, DType::f64), 1e-14));
  const auto first = [](const Variable& all) { return select(all.value(), 0, 0); };
  const auto close = [](const Tensor& a, const Tensor& b) { return largest_difference(a, b) < 0.5001e-6; };
  const auto [plain, plain_weights] = unscaled(x, x, x);
  CHECK(close(first(plain_weights), tensor({.017094, .121356, .861549}, DType::f64)));
  CHECK(close(first(plain), tensor({2.913346, 3.382237}, DType::f64)));
  const auto [output, weights] = scaled(x, x, x);
  CHECK(close(first(weights), tensor({.047649, .190526, .761825}, DType::f64)));
  CHECK(close(first(output), tensor({2.757012, 3.199847}, DType::f64)));
}

TEST_CASE("attention: a weighted mean is a product of matrices") {
  const Variable weights = full({2, 1, 10}, 0.1, DType::f64);
  const Variable values = reshape(Variable(arange(20, DType::f64)), {2, 10, 1});
  const Variable means = pairs::mix(weights, values, ones({1, 1}, DType::f64));
  CHECK(means.shape() == Shape{2, 1, 1});
  CHECK(allclose(means.value(), tensor({{{4.5}}, {{14.5}}}, DType::f64), 1e-14));
}

TEST_CASE("attention: without the scale, scores grow with √D, and softmax stops learning") {
  Generator generator(3);
  const auto variance = [&](std::int64_t size, const ScaledDotProduct& score) {
    const Variable q = normal({200, size}, generator, 0, 1, DType::f64),
                   k = normal({200, size}, generator, 0, 1, DType::f64);
    return var(score(q, k)).item();
  };
  CHECK(variance(16, {.scale = 1}) == Approx(16).epsilon(0.05));
  CHECK(variance(256, {.scale = 1}) == Approx(256).epsilon(0.05));
  CHECK(variance(256, {}) == Approx(1).epsilon(0.05));
  // The mean size of ∂softmax/∂scores, yᵢ(1 − yᵢ) on the diagonal.
  const auto slope = [&](std::int64_t size, const ScaledDotProduct& score) {
    const Variable q = normal({200, size}, generator, 0, 1, DType::f64),
                   k = normal({50, size}, generator, 0, 1, DType::f64);
    const Tensor y = softmax(score(q, k), -1).value();
    return mean(y * (1 - y)).item();
  };
  CHECK(slope(1024, {.scale = 1}) < 0.15 * slope(1024, {}));
  CHECK(slope(1024, {}) == Approx(slope(4, {})).epsilon(0.25));
}

TEST_CASE("attention: the scaled dot product is a cosine only where all lengths are √√D") {
  Generator generator(4);
  const Variable q = CosineScore::unit(normal({3, 4}, generator, 0, 1, DType::f64)) * std::sqrt(2.0);
  const Variable k = CosineScore::unit(normal({5, 4}, generator, 0, 1, DType::f64)) * std::sqrt(2.0);
  const CosineScore cosine({.temperature = 1, .dtype = DType::f64});
  CHECK(allclose(ScaledDotProduct{}(q, k).value(), cosine(q, k).value(), 1e-13, 1e-14));
  CHECK_FALSE(allclose(ScaledDotProduct{}(q * 2, k).value(), cosine(q * 2, k).value(), 1e-2));
}

TEST_CASE("attention: weights are activations: without a score that learns there is no parameter") {
  Attention attention(ScaledDotProduct{});
  CHECK(parameters(attention).empty());
  const Variable x = parameter(ones({2, 3}));
  CHECK_FALSE(attention(x, x, x).weights.is_leaf());
}

TEST_CASE("attention: with k = v and no scale, the output moves with the query by the covariance of the keys") {
  Generator generator(5);
  const Variable q = parameter(normal({1, 3}, generator, 0, 1, DType::f64)),
                 k = normal({6, 3}, generator, 0, 1, DType::f64);
  Attention attention(ScaledDotProduct{.scale = 1});
  const auto [output, weights] = attention(q, k, k);
  const Tensor from_mean = k.value() - output.value();
  const Tensor covariance = matmul(transpose(from_mean) * weights.value(), from_mean);
  for (std::int64_t i = 0; i < 3; ++i) {
    const Tensor row = grad({select(select(output, 0, 0), 0, i)}, {q}, {.keep_graph = true})[0].value();
    CHECK(allclose(select(row, 0, 0), select(covariance, 0, i), 1e-12, 1e-14));
  }
}

// Divided by √D as the scores are; of keys and values, each less its mean, if these are not the same.
TEST_CASE("attention: with values of their own, the output moves by their covariance with the keys, over √D") {
  Generator generator(8);
  const Variable q = parameter(normal({1, 4}, generator, 0, 1, DType::f64)),
                 k = normal({6, 4}, generator, 0, 1, DType::f64), v = normal({6, 3}, generator, 0, 1, DType::f64);
  const auto [output, weights] = Attention(ScaledDotProduct{})(q, k, v);
  const Tensor mean_key = matmul(weights.value(), k.value());
  const Tensor covariance = matmul(transpose(v.value() - output.value()) * weights.value(), k.value() - mean_key) * 0.5;
  for (std::int64_t i = 0; i < 3; ++i) {
    const Tensor row = grad({select(select(output, 0, 0), 0, i)}, {q}, {.keep_graph = true})[0].value();
    CHECK(allclose(select(row, 0, 0), select(covariance, 0, i), 1e-12, 1e-14));
  }
}

TEST_CASE("attention: a word attends to itself most if all have one length, and need not otherwise") {
  const auto favourite = [](const Variable& x) {
    return to_vector(argmax(Attention(ScaledDotProduct{})(x, x, x).weights, -1));
  };
  const Variable words = tensor({{.7, .8}, {1.9, 2.2}, {3.1, 3.6}}, DType::f64);
  CHECK(favourite(words) == std::vector<double>{2, 2, 2});  // all to the longest
  Generator generator(6);
  CHECK(favourite(CosineScore::unit(normal({4, 5}, generator, 0, 1, DType::f64))) == std::vector<double>{0, 1, 2, 3});
}

TEST_CASE("attention: linear attention needs no matrix of pairs") {
  Generator generator(7);
  const auto draw = [&](const Shape& shape) { return Variable(normal(shape, generator, 0, 1, DType::f64)); };
  const Variable q = draw({2, 7, 4}), k = draw({2, 9, 4}), v = draw({2, 9, 3});
  Attention attention(LinearAttention{});
  CHECK(allclose(linear_attention(q, k, v).value(), attention(q, k, v).output.value(), 1e-13, 1e-14));
}

TEST_CASE("attention: no keys give 0, no queries and no batch give nothing, masked or not") {
  Attention attention(ScaledDotProduct{});
  for (const Mask& mask : {Mask(), Mask::causal()}) {
    CHECK(
        identical(attention(ones({2, 3, 4}), ones({2, 0, 4}), ones({2, 0, 5}), mask).output.value(), zeros({2, 3, 5})));
    CHECK(attention(ones({2, 0, 4}), ones({2, 3, 4}), ones({2, 3, 5}), mask).output.shape() == Shape{2, 0, 5});
    CHECK(attention(ones({0, 3, 4}), ones({0, 3, 4}), ones({0, 3, 5}), mask).output.shape() == Shape{0, 3, 5});
  }
}

TEST_CASE("attention: without features all keys weigh the same, and values may be empty, too") {
  for (const Method method : {Method::composed, Method::fused}) {
    Attention attention(ScaledDotProduct{}, {.method = method});
    CHECK(attention(ones({2, 0}), ones({3, 0}), ones({3, 0})).output.shape() == Shape{2, 0});
  }
}

TEST_CASE("attention: what does not fit is refused, in words of attention") {
  const Variable q = ones({2, 3, 4}), k = ones({2, 3, 5});
  using Catch::Matchers::ContainsSubstring;
  CHECK_THROWS_WITH(Attention(ScaledDotProduct{})(q, k, k),
                    ContainsSubstring("ScaledDotProduct: q (2, 3, 4), k (2, 3, 5)"));
  CHECK_THROWS_WITH(CosineScore()(q, k), ContainsSubstring("CosineScore: q (2, 3, 4)"));
  CHECK_THROWS_WITH(NegativeL1()(q, k), ContainsSubstring("queries and keys must have as many features"));
  CHECK_THROWS_WITH(Attention(AveragePooling{})(ones({4}), k, k), ContainsSubstring("(…, L, D)"));
}

TEST_CASE("attention: masks by position of the variants") {
  CHECK(sliding_window(2).picture({3, 4}) == "■■··\n■■■·\n·■■■\n");
  CHECK((sliding_window(2) & Mask::causal()).at(2).picture({1, 4}) == "·■■·\n");
  CHECK(local_global(1, 1).picture({4, 4}) == "■■■■\n■■··\n■·■·\n■··■\n");
}

TEST_CASE("attention: the features of linear attention have slope 1 at 0") {
  const Variable x = parameter(zeros({1}, DType::f64));
  CHECK(grad({sum(LinearAttention::features(x))}, {x})[0].item() == 1);
}

TEST_CASE("attention: talking heads keep to a mask that differs from head to head") {
  TalkingHeads score(ScaledDotProduct{}, 2);
  score.mix_weights = parameter(tensor({{1, 1}, {0, 1}}));
  const Tensor keep = reshape(tensor({1, 0, 1, 1, 1, 1, 1, 1}), {1, 2, 2, 2});
  const Variable x = ones({1, 2, 2, 4});
  const Tensor weights = Attention(score)(x, x, x, Mask::keep(keep)).weights.value();
  CHECK(weights.at({0, 0, 0, 1}) == 0);
}

// Head 0 sees the first key, and head 1 the second. No head sees the third, and its NaN reaches nothing.
TEST_CASE("attention: a key that several heads share is there as soon as one of them sees it") {
  const Tensor keep = reshape(tensor({1, 0, 0, 0, 1, 0}), {1, 2, 1, 3});
  const Variable q = ones({1, 2, 1, 1}), k = ones({1, 1, 3, 1});
  const Variable v(reshape(tensor({3, 5, std::nan("")}), {1, 1, 3, 1}));
  for (const Method method : {Method::composed, Method::fused}) {
    Attention attention(ScaledDotProduct{}, {.method = method});
    CHECK(identical(attention(q, k, v, Mask::keep(keep)).output.value(), reshape(tensor({3, 5}), {1, 2, 1, 1})));
  }
}

TEST_CASE("pairs: each head's keys are replaced by what that head sees, shared ones by what any head does") {
  const Tensor seen = tensor({1, 0, 1, 1}, {1, 2, 1, 2});  // the first head does not see the second key
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Variable own = tensor({1, nan, 3, 4}, {1, 2, 2, 1}), shared = tensor({1, 2}, {1, 1, 2, 1});
  CHECK(to_vector(pairs::without_unseen_keys(own, seen).value()) == std::vector<double>{1, 0, 3, 4});
  CHECK(to_vector(pairs::without_unseen_keys(shared, seen).value()) == std::vector<double>{1, 2});
}

}  // namespace regard::nn

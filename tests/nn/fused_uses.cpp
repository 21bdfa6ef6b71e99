// What fused attention is used for besides outputs: regression, weights for pictures, scores with more than a formula.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/tensor/threads.h"

#include <cmath>
#include <tuple>

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

// Losses and gradients of all three ways agree: in one pass, from tiles, and composed.
bool same_regression(const GaussianKernel& kernel, const Tensor& x, const Tensor& y, RegressionTraining training,
                     double tolerance) {
  NadarayaWatson regression(kernel, x, y);
  const Variable composed = regression.loss(training), one_pass = regression.loss_in_one_pass(training);
  regression.attention.method = Method::fused;
  const Variable from_tiles = regression.loss(training);
  const auto slope = [&](const Variable& loss) { return grad({loss}, {kernel.w})[0].value(); };
  const Tensor expected = slope(composed);
  const double largest = std::max(0.1, max(abs(expected)).item());
  for (const Variable& loss : {one_pass, from_tiles}) {
    if (!allclose(loss.value(), composed.value(), tolerance, tolerance)) return false;
    if (largest_difference(slope(loss), expected) > tolerance * largest) return false;
  }
  return true;
}

struct Products {
  Variable operator()(const Variable& q, const Variable& k) const { return matmul(q, transpose(k)); }
};

}  // namespace

TEST_CASE("fused attention: large heads that are views give the bits of heads that lie by themselves") {
  Attention attention(ScaledDotProduct{}, {.method = Method::fused});
  const auto answer = [&](const std::vector<Variable>& heads) {
    const Variable output = attention(heads[0], heads[1], heads[2], Mask::causal()).output;
    std::vector<Tensor> found{output.value()};
    for (const Variable& gradient : grad({sum(square(output))}, heads)) found.push_back(gradient.value());
    return found;
  };
  std::vector<Variable> views, alone;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Tensor rows = noise({1, 300, 2, 128}, seed, DType::f32);
    views.push_back(parameter(transpose(rows, 1, 2)));
    alone.push_back(parameter(contiguous(transpose(rows, 1, 2))));
  }
  REQUIRE(!views[2].value().is_contiguous());
  const std::vector<Tensor> one = answer(views), other = answer(alone);
  for (std::size_t i = 0; i < one.size(); ++i) CHECK(identical(one[i], other[i]));
}

TEST_CASE("fused regression: loss and gradient are those of the composed one") {
  for (const std::int64_t n : {1, 2, 5, 16, 17, 130, 701})
    for (const RegressionTraining training : {RegressionTraining::leave_one_out, RegressionTraining::leaking}) {
      INFO(n);
      const Tensor x = noise({n}, 1), y = noise({n}, 2);
      CHECK(same_regression(GaussianKernel::per_key(n, 0.3, DType::f64), x, y, training, 1e-12));
      CHECK(same_regression(GaussianKernel::learned(0.3, DType::f64), x, y, training, 1e-12));
      CHECK(same_regression({0.7, parameter(noise({n}, 3))}, x, y, training, 1e-12));
      CHECK(same_regression(GaussianKernel::per_key(n, 0.3), to(x, DType::f32), to(y, DType::f32), training, 2e-6));
    }
}

TEST_CASE("fused regression: keys too far away to count are passed over, and nothing changes") {
  const std::int64_t n = 1500;
  const Tensor far_and_wide = sort(noise({n}, 1) * 200, 0), y = noise({n}, 2), widths = noise({n}, 3);
  for (const Tensor& x : {far_and_wide, flip(far_and_wide, 0), noise({n}, 1) * 200})
    for (const double scale : {0.1, 1.0, 5.0}) {
      INFO(scale);
      const GaussianKernel kernel{1, parameter(widths * scale)};
      CHECK(same_regression(kernel, x, y, RegressionTraining::leaking, 1e-12));
      CHECK(same_regression(kernel, x, y, RegressionTraining::leave_one_out, 1e-9));  // differences of large numbers
    }
  // In f32, on a line without gaps. The last value may be as large as it likes: it is seen from where it counts.
  const Tensor line = linspace(0, 20, n, DType::f32);
  for (const double last : {1.0, 1e6, 1e12, 1e17})
    for (const double w : {2.0, 3.0, 4.0}) {
      INFO(last << " " << w);
      const Tensor values = cat({slice(to(y, DType::f32), 0, 1, n), full({1}, last, DType::f32)}, 0);
      for (const DType dtype : {DType::f32, DType::f64}) {
        const GaussianKernel kernel{1, parameter(full({n}, w, dtype))};
        const double tolerance = dtype == DType::f32 ? 1e-5 : 1e-11;
        CHECK(same_regression(kernel, to(line, dtype), to(values, dtype), RegressionTraining::leaking, tolerance));
      }
    }
  // Far away, but so large that it counts all the same.
  for (const auto& [dtype, place, value] : {std::tuple{DType::f32, 22.31, 1e21}, {DType::f64, 22.81, 1e30}}) {
    const Tensor keys = cat({linspace(0, 20, 512, dtype), full({1}, place, dtype)}, 0),
                 values = cat({noise({512}, 1, dtype), full({1}, value, dtype)}, 0);
    CHECK(same_regression({1, parameter(full({513}, 4, dtype))}, keys, values, RegressionTraining::leaking, 1e-3));
  }
  // What is not a number reaches all gradients, however far away.
  const Tensor nobody = full({1}, NAN, DType::f64), long_line = linspace(0, 600, n, DType::f64);
  for (const auto& [keys, values] :
       {std::pair{long_line, cat({slice(y, 0, 1, n), nobody}, 0)}, {cat({slice(long_line, 0, 1, n), nobody}, 0), y}}) {
    NadarayaWatson regression(GaussianKernel::per_key(n, 1, DType::f64), keys, values);
    const Tensor gradient =
        grad({regression.loss_in_one_pass()}, {regression.attention.score.as<GaussianKernel>().w})[0].value();
    CHECK(sum(is_nan(gradient)).item() == n);
  }
}

TEST_CASE("regression in one pass: what it cannot compute it refuses, and the other ways compute it") {
  const Tensor x = noise({30}, 1), y = noise({30}, 2);
  NadarayaWatson fused(GaussianKernel::per_key(30, 0.3, DType::f64), x, y), composed = fused;
  fused.attention.method = Method::fused;
  fused.attention.dropout.p = composed.attention.dropout.p = 0.5;
  CHECK(fused.loss().item() == Approx(composed.loss().item()).epsilon(1e-12));
  CHECK_THROWS_WITH(fused.loss_in_one_pass(), ContainsSubstring("loss_in_one_pass: it has no dropout"));
  fused.attention.dropout.training = false;
  composed.attention.dropout.training = false;
  CHECK(fused.loss().item() == Approx(composed.loss().item()).epsilon(1e-12));
  CHECK(fused.loss_in_one_pass().item() == Approx(composed.loss().item()).epsilon(1e-12));
  NadarayaWatson wide(GaussianKernel::learned(1, DType::f64), noise({30, 2}, 1), y);
  CHECK_THROWS_WITH(wide.loss_in_one_pass(), ContainsSubstring("loss_in_one_pass: x (30, 2), y (30, 1)"));
  CHECK_THROWS_WITH(regression_loss(noise({3, 2}, 1), y, Variable(y), true),
                    ContainsSubstring("x is (n), w () or (n)"));
  CHECK_THROWS_WITH(regression_loss(noise({3}, 1), noise({4}, 1), Variable(noise({3}, 1)), true),
                    ContainsSubstring("x (3), y (4), w (3): they must be (n)"));
  const NadarayaWatson fixed(GaussianKernel::fixed(0.4), x, y);
  CHECK(NadarayaWatson(fixed).loss_in_one_pass().item() == Approx(NadarayaWatson(fixed).loss().item()));
}

TEST_CASE("fused regression: a point infinitely far from all others has no answer, a single point has the answer 0") {
  const Tensor x = tensor({0, 1, 2, 1e200, 4}, DType::f64), y = tensor({1, 2, 3, 4, 5}, DType::f64);
  for (const bool in_one_pass : {true, false}) {
    NadarayaWatson apart(GaussianKernel::per_key(5, 1, DType::f64), x, y);
    NadarayaWatson single(GaussianKernel::per_key(1, 1, DType::f64), slice(x, 0, 1, 2), slice(y, 0, 1, 2));
    CHECK(std::isnan((in_one_pass ? apart.loss_in_one_pass() : apart.loss()).item()));
    CHECK((in_one_pass ? single.loss_in_one_pass() : single.loss()).item() == 4);  // (0 − 2)²
  }
}

TEST_CASE("fused regression: points far from all others still see the nearest") {
  const Tensor x = tensor({0, 0.1, 50, 120, 121, 1000}, DType::f64), y = tensor({1, 2, 3, 4, 5, 6}, DType::f64);
  CHECK(same_regression(GaussianKernel::per_key(6, 0.2, DType::f64), x, y, RegressionTraining::leave_one_out, 1e-7));
  // In f32 gradients are not compared: they are 0, and what rounding leaves of yⱼ − ŷᵢ is multiplied by d² = 770 000.
  NadarayaWatson regression(GaussianKernel::per_key(6, 0.2), to(x, DType::f32), to(y, DType::f32));
  CHECK(regression.loss_in_one_pass().item() == Approx((1 + 1 + 1 + 1 + 1 + 1) / 6.0));
}

TEST_CASE("fused regression: second derivatives, and the same bits for any number of threads", "[threads]") {
  const Tensor x = noise({9}, 1), y = noise({9}, 2);
  const auto loss = [&](const auto& in) { return NadarayaWatson(GaussianKernel{1, in[0]}, x, y).loss_in_one_pass(); };
  CHECK(gradcheck(loss, {parameter(noise({9}, 3))}).passed());

  const GaussianKernel kernel = GaussianKernel::per_key(500);
  NadarayaWatson regression(kernel, noise({500}, 1, DType::f32), noise({500}, 2, DType::f32));
  const Threads one(1);
  const Tensor expected = grad({regression.loss_in_one_pass()}, {kernel.w})[0].value();
  for (const int threads : {2, 3, 5, 8}) {
    set_thread_count(threads);
    CHECK(identical(grad({regression.loss_in_one_pass()}, {kernel.w})[0].value(), expected));
  }
}

TEST_CASE("fused weights: rows are those of all weights") {
  const Tensor q = noise({2, 3, 50, 4}, 1), k = noise({2, 3, 1100, 4}, 2), v = noise({2, 3, 1100, 2}, 3);
  const FusedScore score = shipped_scores::dot(0.3);
  for (const Mask& mask :
       {Mask::valid_lengths({700, 1000}) & Mask::causal(900),
        Mask::valid_lengths(reshape(arange(100) * 11, {2, 50}))}) {  // some see a few tiles, some all
    const Tensor all = Attention(ScaledDotProduct{.scale = 0.3})(q, k, v, mask).weights.value();
    CHECK(allclose(fused_weights(score, q, k, v, {7, 0, 49}, {.mask = mask}),
                   index_select(all, -2, tensor({7, 0, 49}, DType::i64)), 1e-12, 1e-14));
  }
  CHECK_THROWS_WITH(fused_weights(score, q, k, v, {50}), ContainsSubstring("fused_weights: query 50 of 50"));
}

namespace {

struct Laplace {
  auto operator()(const auto& q, const auto& k, const auto& w) const { return -(w * abs(q - k)); }
};
struct LaplaceByHand : Laplace {
  template <class P>
  engine::Slopes<P> slopes(const P& q, const P& k, const P& w) const {
    const P side = w * sign(q - k);
    return {-side, side, -abs(q - k)};
  }
};

}  // namespace

TEST_CASE("fused scores: derivatives by hand are those of dual numbers") {
  const std::vector<Variable> in{parameter(noise({2, 9, 5}, 1)), parameter(noise({2, 70, 5}, 2)),
                                 parameter(noise({2, 70, 3}, 3)), parameter(noise({5}, 4))};
  const auto gradients = [&](const FusedScore& score) {
    return grad({sum(square(fused_attention(score, in[0], in[1], in[2], {.parameters = in[3]})))}, in);
  };
  const auto by_hand = gradients(score(LaplaceByHand{})), by_duals = gradients(score(Laplace{}));
  for (std::size_t i = 0; i < in.size(); ++i) CHECK(allclose(by_hand[i].value(), by_duals[i].value(), 1e-13, 1e-13));
}

TEST_CASE("masks that are ranges: pair by pair what their names say, and no table") {
  const Shape scores{2, 3, 12, 17};
  const Tensor lengths = to(reshape(arange(24), {2, 12}), DType::i64);
  struct Row {
    Mask mask;
    std::function<bool(std::int64_t b, std::int64_t i, std::int64_t j)> sees;
  };
  const std::vector<Row> rows = {
      {Mask::causal(), [](auto, auto i, auto j) { return j <= i; }},
      {Mask::causal(4), [](auto, auto i, auto j) { return j <= i + 4; }},
      {sliding_window(3), [](auto, auto i, auto j) { return std::abs(i - j) < 3; }},
      {Mask::valid_lengths({3, 40}), [](auto b, auto, auto j) { return j < (b == 0 ? 3 : 40); }},
      {Mask::valid_lengths(lengths), [](auto b, auto i, auto j) { return j < b * 12 + i; }},
      {sliding_window(2) & Mask::valid_lengths({0, 5}) & Mask::causal(2),
       [](auto b, auto i, auto j) { return std::abs(i - j) < 2 && j < (b == 0 ? 0 : 5) && j <= i + 2; }}};
  for (const auto& [mask, sees] : rows) {
    INFO(mask.to_string());
    const Visible visible = mask.resolve(scores, DType::f64).visible;
    CHECK(!visible.keep.defined());
    const Tensor keep = expand(visible_table(visible, scores, DType::f64), scores);
    for (std::int64_t b = 0; b < 2; ++b)
      for (std::int64_t i = 0; i < 12; ++i)
        for (std::int64_t j = 0; j < 17; ++j) CHECK((keep.at({b, 1, i, j}) == 1) == sees(b, i, j));
    CHECK(identical(expand(seen_keys(visible, scores, DType::f64), {2, 3, 1, 17}), max(keep, -2, keepdim)));
    CHECK(identical(expand(seeing_queries(visible, scores, DType::f64), {2, 3, 12, 1}), max(keep, -1, keepdim)));
  }
}

// Every way from a mask to an output asks the mask's condition once: it may be slow, or count, or draw.
TEST_CASE("attention: a condition is evaluated once a call, however attention is computed") {
  int asked = 0;
  const Mask mask = Mask::by_position("counted", [&](const Tensor& query, const Tensor& key) {
    ++asked;
    return less_equal(key, query);
  });
  const auto count = [&](const auto& call) {
    asked = 0;
    call();
    return asked;
  };
  Generator g(1);
  const Variable x = parameter(normal({2, 5, 8}, g));
  for (const Method method : {Method::composed, Method::fused}) {
    INFO((method == Method::fused ? "fused" : "composed"));
    Attention attention(ScaledDotProduct{}, {.dropout = 0.1, .method = method});
    CHECK(count([&] { attention(x, x, x, mask); }) == 1);
    CHECK(count([&] { sum(attention(x, x, x, mask).output).backward(); }) == 1);
    MultiHeadAttention heads(Alibi(ScaledDotProduct{}, 4), {.model = 8, .heads = 4, .method = method}, g);
    CHECK(count([&] { heads(x, x, x, mask); }) == 1);
    CHECK(count([&] { heads(select(x, 0, 0), select(x, 0, 0), select(x, 0, 0), mask); }) == 1);
    CHECK(count([&] { sum(heads(x, x, x, mask).output).backward(); }) == 1);
    Cache cache;
    CHECK(count([&] { heads(x, x, x, mask, {.cache = &cache}); }) == 1);
    CHECK(count([&] { heads(x, x, x, mask, {.cache = &cache}); }) == 1);
  }
  CHECK(count([&] { fused_attention(shipped_scores::dot(1), x, x, x, {.mask = mask}); }) == 1);
  CHECK(count([&] { composed_attention(shipped_scores::dot(1), x, x, x, {.mask = mask}); }) == 1);
  CHECK(count([&] { fused_weights(shipped_scores::dot(1), x, x, x, {1, 3}, {.mask = mask}); }) == 1);
}

TEST_CASE("method: an argument of attention and of heads, with a cache too") {
  Generator first(1), second(1);
  const MultiHeadOptions options{.model = 8, .heads = 4, .key_value_heads = 2};
  MultiHeadOptions with_tiles = options;
  with_tiles.method = Method::fused;
  MultiHeadAttention composed(Alibi(ScaledDotProduct{}, 4), options, first),
      fused(Alibi(ScaledDotProduct{}, 4), with_tiles, second);
  const Variable x = noise({2, 9, 8}, 5, DType::f32);
  const Tensor expected = composed(x, x, x, Mask::causal()).output.value();
  const AttentionOutput whole = fused(x, x, x, Mask::causal());
  CHECK(!whole.weights.defined());
  CHECK(allclose(whole.output.value(), expected, 1e-5, 1e-6));
  Cache cache;
  for (const std::int64_t i : {0, 4, 8}) {
    const Variable now = slice(x, 1, i, std::min<std::int64_t>(i + 4, 9));
    const Tensor output = fused(now, now, now, Mask::causal(), {.cache = &cache}).output.value();
    CHECK(allclose(output, slice(expected, 1, i, i + now.size(1)), 1e-5, 1e-6));
  }
  CHECK(allclose(fused(select(x, 0, 0), select(x, 0, 0), select(x, 0, 0), Mask::causal()).output.value(),
                 select(expected, 0, 0), 1e-5, 1e-6));
}

TEST_CASE("fused attention: over nothing") {
  for (const auto& [batch, queries, keys] : {std::array{2, 0, 3}, std::array{2, 3, 0}, std::array{0, 3, 3}}) {
    const Variable q = parameter(noise({batch, queries, 4}, 1)), k = parameter(noise({batch, keys, 4}, 2)),
                   v = parameter(noise({batch, keys, 2}, 3)), w = parameter(noise({4}, 4));
    for (const bool dot : {true, false}) {
      const FusedScore score = dot ? shipped_scores::dot(1) : shipped_scores::additive();
      const Variable output =
          fused_attention(score, q, k, v, {.parameters = dot ? Variable() : w, .mask = Mask::causal()});
      CHECK(identical(output.value(), zeros({batch, queries, 2}, DType::f64)));
      for (const Variable& gradient : grad({sum(output)}, {q, k, v}))
        CHECK(identical(gradient.value(), zeros_like(gradient.value())));
    }
  }
}

TEST_CASE("fused attention: errors say what is wrong") {
  const Variable q = zeros({3, 4}), k = zeros({5, 4}), v = zeros({5, 2});
  CHECK_THROWS_WITH(
      fused_attention(shipped_scores::dot(1), q, zeros({5, 3}), v),
      ContainsSubstring("fused_attention: q (3, 4), k (5, 3): queries and keys must have as many features"));
  CHECK_THROWS_WITH(fused_attention(shipped_scores::additive(), q, k, v, {.parameters = zeros({3})}),
                    ContainsSubstring("(5, 4)"));
  CHECK_THROWS_WITH(fused_attention(shipped_scores::dot(1), q, k, v, {.dropout = 0.5}),
                    ContainsSubstring("needs a generator"));
  const auto said = [](const auto& score) {
    try {
      Attention(score, {.method = Method::fused});
    } catch (const ValueError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string start = "Attention: this score has no fused form, as ", rest = "; use Method::composed";
  CHECK(said(BoxcarKernel{1}) == start + "its weights are no softmax" + rest);
  CHECK(said(SigmoidAttention(ScaledDotProduct{})) == start + "its weights are no softmax" + rest);
  CHECK(said(SoftCapped(TalkingHeads(ScaledDotProduct{}, 2), 5)) == start + "it mixes heads" + rest);
  CHECK(said(Products{}) == start + "it has no member fused(q, k, offset)" + rest);
}

TEST_CASE("fused form: a sink is more than a form, and is not left out") {
  const Variable q = noise({1, 2, 3, 4}), k = noise({1, 2, 5, 4});
  const AnyScore score = Sinks(ScaledDotProduct{}, 2, DType::f64);
  CHECK(score.terms(q, k, 0).size() == 1);
  CHECK_THROWS_WITH(score.fused(q, k, 0), ContainsSubstring("as its weights are not one plain softmax"));
}

TEST_CASE("fused form: a factor, and a second term, are more than a form as well") {
  struct Sum {
    int terms;
    Variable factor;
    Variable operator()(const Variable& q, const Variable& k) const { return matmul(q, transpose(k)); }
    std::vector<FusedTerm> fused(const Variable& q, const Variable& k, std::int64_t) const {
      return std::vector<FusedTerm>(static_cast<std::size_t>(terms), {{shipped_scores::dot(1), q, k}, factor});
    }
  };
  const Variable q = noise({3, 4}), k = noise({5, 4});
  CHECK_NOTHROW(AnyScore(Sum{1, {}}).fused(q, k, 0));
  for (const Sum& score : {Sum{2, {}}, Sum{1, full({}, 2)}, Sum{0, {}}})
    CHECK_THROWS_WITH(AnyScore(score).fused(q, k, 0), ContainsSubstring("as its weights are not one plain softmax"));
}

TEST_CASE("fused attention: weights of many keys that have wide parameters of their own") {
  const Variable q = noise({2, 16}, 1), k = noise({300, 16}, 2), v = noise({300, 1}, 3), w = -abs(noise({300, 16}, 4));
  const FusedScore score = shipped_scores::weighted_l2();
  const FusedOptions options{.parameters = w};
  CHECK(allclose(fused_weights(score, q, k, v, {0, 1}, options),
                 softmax(composed_scores(score, q, k, options), -1).value(), 1e-12, 1e-14));
}

TEST_CASE("fused attention: one head of keys and values serves all heads of queries") {
  const Variable q = parameter(noise({2, 3, 5, 4})), k = parameter(noise({2, 1, 6, 4})),
                 v = parameter(noise({2, 1, 6, 4}));
  const Mask mask = Mask::valid_lengths({4, 6});
  const auto run = [&](const Variable& keys, const Variable& values, Method method) {
    for (const Variable* x : {&q, &k, &v}) Variable(*x).clear_gradient();
    const Variable y = Attention(ScaledDotProduct{}, {.method = method})(q, keys, values, mask).output;
    sum(sin(y)).backward();
    return std::array{y.value(), q.gradient().value(), k.gradient().value(), v.gradient().value()};
  };
  const auto expected = run(expand(k, {2, 3, 6, 4}), expand(v, {2, 3, 6, 4}), Method::composed);
  for (const Method method : {Method::composed, Method::fused}) {
    const auto made = run(k, v, method);
    for (std::size_t i = 0; i < made.size(); ++i) CHECK(allclose(made[i], expected[i], 1e-12, 1e-14));
  }
  CHECK_THROWS_AS(Attention(ScaledDotProduct{})(q, noise({2, 2, 6, 4}), noise({2, 2, 6, 4})), ShapeError);
}

}  // namespace regard::nn

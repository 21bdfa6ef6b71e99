// Fused attention where numbers are very large, or infinite, or no numbers, or not given at all.
#include "autograd/all.h"
#include "autograd/attention/score.h"
#include "nn/attention/all.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

constexpr double lowest = std::numeric_limits<float>::lowest();

Tensor drawn(const Shape& shape, std::uint64_t seed, DType dtype = DType::f32) {
  Generator generator(seed);
  return normal(shape, generator, 0, 1, dtype);
}

double sum_of_one_hot_losses(const std::vector<double>& x) {
  const auto n = static_cast<std::int64_t>(x.size());
  NadarayaWatson regression(GaussianKernel::per_key(n, 1), tensor(x, {n}, DType::f32), add(arange(n, DType::f32), 1));
  return regression.loss_in_one_pass().item() * static_cast<double>(n);
}

}  // namespace

TEST_CASE("fused attention: a bias of the lowest number hides keys, wherever they stand") {
  const auto [dtype, number] =
      GENERATE(std::pair{DType::f32, lowest}, std::pair{DType::f64, std::numeric_limits<double>::lowest()});
  const Variable q = drawn({4, 8}, 1, dtype), k = drawn({1024, 8}, 2, dtype), v = drawn({1024, 3}, 3, dtype);
  const Tensor place = reshape(arange(1024, dtype), {1, 1024});
  const Variable bias = where(less(place, 512.0), full({}, number, dtype), zeros({}, dtype));
  const Tensor left = fused_attention(shipped_scores::dot(1), q, k, v, {.mask = Mask::bias(bias)}).value();
  const Tensor cut = fused_attention(shipped_scores::dot(1), q, slice(k, 0, 512, 1024), slice(v, 0, 512, 1024))
                         .value();  // what remains
  CHECK(allclose(left, cut, 1e-5, 1e-6));
}

TEST_CASE("fused attention: a large number added to all scores changes nothing") {
  for (const double bias : {-1e6, -1e9, -1e12, 1e30, lowest})
    for (const std::int64_t value_size : {1, 2}) {
      INFO(bias << " " << value_size);
      const Variable q = ones({1, 1}), k = zeros({64, 1}), v = parameter(ones({64, value_size}));
      const FusedOptions options{.mask = Mask::bias(full({1, 64}, bias, DType::f32))};
      const Variable output = fused_attention(shipped_scores::dot(1), q, k, v, options);
      CHECK(allclose(output.value(), ones({1, value_size}), 1e-6));
      CHECK(allclose(grad({sum(output)}, {v})[0].value(), full({64, value_size}, 1 / 64.0, DType::f32), 1e-6));
      CHECK(allclose(fused_weights(shipped_scores::dot(1), q, k, v, {0}, options), full({1, 64}, 1 / 64.0, DType::f32),
                     1e-6));
    }
}

// Adding a number to all scores changes nothing, as long as they can hold it. From 2¹⁸ on, f32 scores are subtracted
// from each other before they become powers; here the largest so far crosses that bound, as it grows from one tile of
// keys to the next.
TEST_CASE("fused attention: rising scores around a large number") {
  const Tensor steps = multiply(expand(reshape(arange(256, DType::f64), {256, 1}), {256, 8}), 1 / 32.0);  // up to 8
  for (const std::int64_t value_size : {1, 2})
    for (const FusedScore& kind : {shipped_scores::dot(1), score([](auto a, auto b) { return a * b; })}) {
      const auto attend = [&](DType dtype, double begin) {
        const Variable q = ones({1, 1}, dtype), k = parameter(to(reshape(add(steps, begin), {2048, 1}), dtype));
        const Variable v = parameter(to(drawn({2048, value_size}, 1), dtype));
        const Variable output = fused_attention(kind, q, k, v);
        std::vector<Tensor> all{to(output.value(), DType::f64)};
        for (const Variable& gradient : grad({sum(output)}, {k, v})) all.push_back(to(gradient.value(), DType::f64));
        return all;
      };
      const std::vector<Tensor> truth = attend(DType::f64, 0);
      const auto agrees = [&](DType dtype, double begin, double tolerance) {
        INFO(begin << " " << value_size);
        const std::vector<Tensor> moved = attend(dtype, begin);
        for (std::size_t n = 0; n < moved.size(); ++n)
          CHECK(largest_difference(moved[n], truth[n]) <= tolerance * max(abs(truth[n])).item());
      };
      for (const double begin : {-0x1p18 - 4, 0x1p18 - 4, -0x1p18 + 1, 0x1p18 + 1, 5.0})
        agrees(DType::f32, begin, 2e-6);
      for (const double begin : {-1e12, 1e12, 5.0}) agrees(DType::f64, begin, 1e-12);
    }
}

TEST_CASE("fused attention: a pair that does not count may have an infinite slope") {
  const auto finite = [](const std::vector<Variable>& gradients) {
    return std::ranges::all_of(gradients,
                               [](const Variable& x) { return largest_difference(x.value(), x.value()) == 0; });
  };
  for (const std::int64_t keys : {5, 70}) {
    // A key so far away that its score is −∞, and the slope of that infinite.
    const Variable far = cat({drawn({keys - 1, 1}, 1), full({1, 1}, 3e19, DType::f32)}, 0), v = drawn({keys, 1}, 2);
    for (const Shape& shape : {Shape{1}, Shape{keys, 1}}) {
      const Variable q = parameter(drawn({4, 1}, 3)), w = parameter(full(shape, -0.5));
      const FusedOptions options{.parameters = w};
      CHECK(finite(grad({sum(fused_attention(shipped_scores::weighted_l2(), q, far, v, options))}, {w})));
    }
    // A masked key at which a function has no slope.
    const FusedScore logarithm = score([](auto a, auto b) { return a * log(b); });
    const Variable q = parameter(drawn({4, 2}, 4)),
                   k = parameter(cat({abs(drawn({keys - 1, 2}, 5)) + 1, zeros({1, 2})}, 0));
    const FusedOptions options{.mask = Mask::valid_lengths({keys - 1})};
    const auto batch = [](const Variable& x) { return unsqueeze(x, 0); };
    CHECK(finite(grad({sum(fused_attention(logarithm, batch(q), batch(k), batch(v), options))}, {q, k})));
    // A masked key with a parameter that is no number.
    const Tensor widths = cat({full({keys - 1, 1}, -0.5), full({1, 1}, NAN)}, 0);
    const Variable w = parameter(widths), plain = parameter(drawn({keys, 1}, 6)), one = parameter(drawn({4, 1}, 7));
    const FusedOptions poisoned{.parameters = w, .mask = Mask::valid_lengths({keys - 1})};
    CHECK(
        finite(grad({sum(fused_attention(shipped_scores::weighted_l2(), batch(one), batch(plain), batch(v), poisoned))},
                    {one, plain, w})));
  }
}

TEST_CASE("fused attention: later keys may score higher by any number") {
  for (const double more : {5.0, 50.0, 80.0, 90.0, 100.0, 150.0, 200.0, 300.0, 1000.0, 1e5})
    for (const std::int64_t value_size : {1, 2}) {
      INFO(more << " " << value_size);
      const Tensor k = cat({zeros({1100, 1}), full({1100, 1}, more, DType::f32)}, 0), v = drawn({2200, value_size}, 1);
      const Variable output = fused_attention(shipped_scores::dot(1), ones({1, 1}), k, v),
                     whole = composed_attention(shipped_scores::dot(1), ones({1, 1}), k, v);
      CHECK(allclose(output.value(), whole.value(), 1e-4, 1e-5));
      const FusedScore by_features = score([](auto a, auto b) { return a * b; });
      CHECK(allclose(fused_attention(by_features, ones({1, 1}), k, v).value(), whole.value(), 1e-4, 1e-5));
    }
}

TEST_CASE("fused attention: the weights of a query far from all keys sum to 1") {
  for (const double distance : {10.0, 3e3, 1e4, 1e5}) {
    INFO(distance);
    const Variable q = full({1, 1}, distance, DType::f32), k = drawn({64, 1}, 2), v = parameter(drawn({64, 1}, 3));
    const Variable output = fused_attention(shipped_scores::squared_l2(0.5), q, k, v);
    CHECK(sum(grad({sum(output)}, {v})[0]).item() == Approx(1).epsilon(1e-5));
    const Variable whole = composed_attention(shipped_scores::squared_l2(0.5), q, k, v);
    CHECK(output.item() == Approx(whole.item()).epsilon(1e-3));
  }
}

TEST_CASE("fused attention: gradients of scores where values of one number want none") {
  const Variable q = parameter(drawn({9, 3}, 1, DType::f64)), k = parameter(drawn({70, 3}, 2, DType::f64)),
                 v = drawn({70, 1}, 3, DType::f64);
  const auto gradients = [&](const auto& attention) {
    return grad({sum(square(attention(shipped_scores::l1(0.5), q, k, v, FusedOptions{})))}, {q, k});
  };
  const auto fused = gradients(fused_attention), composed = gradients(composed_attention);
  for (std::size_t i = 0; i < 2; ++i) CHECK(allclose(fused[i].value(), composed[i].value(), 1e-12, 1e-13));
}

TEST_CASE("fused regression: far from zero, and far from each other") {
  // Each point is predicted by its nearest: from 2^24 on, x + 1 is x in f32.
  for (const double base : {0.0, 2e7, 1.7e9}) {
    INFO(base);
    CHECK(sum_of_one_hot_losses({base, base + 128, base + 1024, base + 1152, base + 4096}) ==
          Approx(1 + 1 + 1 + 1 + 1));
  }
  // The point at 1 and the point at 2 lie between two others, and are predicted by their mean: exactly.
  for (const double gap : {1e3, 1e5, 1e6, 3e6}) {
    INFO(gap);
    CHECK(sum_of_one_hot_losses({0, gap, 2 * gap, 3 * gap, 3 * gap + 1, 5 * gap}) == Approx(1 + 0 + 0 + 1 + 1 + 1));
  }
}

TEST_CASE("fused attention: a score with parameters must be given some") {
  const Variable q = zeros({3, 4}), k = zeros({5, 4}), v = zeros({5, 2});
  for (const FusedScore& score :
       {shipped_scores::additive(), shipped_scores::soft_capped(shipped_scores::weighted_l2(), 2)}) {
    CHECK_THROWS_WITH(fused_attention(score, q, k, v), ContainsSubstring("has parameters, and none are given"));
    CHECK_THROWS_WITH(composed_attention(score, q, k, v), ContainsSubstring("has parameters, and none are given"));
    CHECK_THROWS_WITH(fused_weights(score, q, k, v, {0}), ContainsSubstring("has parameters, and none are given"));
  }
}

TEST_CASE("fused attention: parameters that keys share, given for each") {
  for (const std::int64_t keys : {1, 5, 70, 300}) {
    const Variable q = drawn({4, 3}, 1, DType::f64), k = drawn({keys, 3}, 2, DType::f64),
                   v = drawn({keys, 2}, 3, DType::f64);
    const Variable one = parameter(full({1}, -0.5, DType::f64));
    const auto gradients = [&](const auto& attention) {
      const Variable each = unsqueeze(expand(one, {keys}), 1);
      return grad({sum(square(attention(shipped_scores::weighted_l2(), q, k, v, FusedOptions{.parameters = each})))},
                  {each, one});
    };
    const auto fused = gradients(fused_attention), composed = gradients(composed_attention);
    for (std::size_t i = 0; i < 2; ++i) CHECK(allclose(fused[i].value(), composed[i].value(), 1e-12, 1e-13));
  }
}

TEST_CASE("fused attention: heads that share keys and have one query each keep the parameters of their own") {
  const Variable q = drawn({2, 6, 1, 3}, 1, DType::f64), k = drawn({2, 2, 7, 3}, 2, DType::f64),
                 v = drawn({2, 2, 7, 2}, 3, DType::f64);
  for (const Shape& shape : {Shape{3}, Shape{6, 1, 3}, Shape{6, 7, 1}, Shape{2, 1, 1, 1}, Shape{2, 6, 7, 3}}) {
    const FusedOptions options{.parameters = drawn(shape, 4, DType::f64)};
    const auto of = [&](const auto& attention) { return attention(shipped_scores::weighted_l2(), q, k, v, options); };
    CHECK(allclose(of(fused_attention).value(), of(composed_attention).value(), 1e-12, 1e-13));
  }
}

TEST_CASE("fused attention: a dropout that is no probability is refused") {
  Generator generator(1);
  const Variable q = zeros({3, 4});
  for (const double dropout : {-0.5, 1.0, std::nan("")})
    CHECK_THROWS_WITH(fused_attention(shipped_scores::dot(1), q, q, q, {.dropout = dropout, .generator = &generator}),
                      ContainsSubstring("it must be 0 or more and below 1"));
}

TEST_CASE("fused attention: an infinite value is no NaN") {
  for (const auto& [keys, infinite] : {std::pair<std::int64_t, double>{3, 2}, {64, 63}, {70, 69}, {270, 15}}) {
    const Tensor place = reshape(arange(keys, DType::f64), {keys, 1});
    const Variable v = where(equal(place, infinite), full({}, INFINITY, DType::f64), place);
    const Variable output =
        fused_attention(shipped_scores::dot(1), ones({1, 2}, DType::f64), ones({keys, 2}, DType::f64), v);
    CHECK(output.item() == INFINITY);
  }
}

// By both methods alike: what is asked of them is no matter of speed.
using ByPairs = Variable (*)(const FusedScore&, const Variable&, const Variable&, const Variable&, const FusedOptions&);
const ByPairs both_methods[] = {fused_attention, composed_attention};

TEST_CASE("attention: a query that sees nothing but scores of −∞ gets NaN, one that sees nothing 0") {
  const FusedScore l2 = shipped_scores::squared_l2(0.5);
  for (const DType dtype : {DType::f32, DType::f64})
    for (const std::int64_t value_size : {1, 3})
      for (const ByPairs attention : both_methods) {
        // Query 0 is infinitely far from all keys, query 1 sees none, query 2 is near; so is query 3, and sees one key
        // less.
        const Variable q = parameter(tensor({{INFINITY}, {0.0}, {0.0}, {0.0}}, dtype));
        const Variable k = parameter(drawn({5, 1}, 1, dtype)), v = parameter(drawn({5, value_size}, 2, dtype));
        const Mask mask = Mask::keep(tensor({{1, 1, 1, 1, 0}, {0, 0, 0, 0, 0}, {1, 1, 1, 1, 0}, {1, 1, 1, 0, 0}}));
        const Variable output = attention(l2, q, k, v, {.mask = mask});
        CHECK(sum(is_nan(slice(output.value(), 0, 0, 1))).item() == value_size);
        CHECK(max(abs(slice(output.value(), 0, 1, 2))).item() == 0);
        CHECK(sum(is_nan(slice(output.value(), 0, 2, 4))).item() == 0);
        const auto gradients = grad({sum(output)}, {q, k, v});
        for (const std::size_t i : {1, 2}) {  // of keys and values: the last is seen by nobody
          CHECK(sum(is_nan(slice(gradients[i].value(), 0, 0, 4))).item() == 4 * gradients[i].size(1));
          CHECK(max(abs(slice(gradients[i].value(), 0, 4, 5))).item() == 0);
        }
      }
  CHECK(std::isnan(max(fused_weights(l2, full({1, 1}, INFINITY), zeros({3, 1}), zeros({3, 1}), {0})).item()));
}

// The square of the far key is infinite, and so is the slope of w·(q − k)² in w; e to the power of it is 0.
TEST_CASE("attention: a pair of weight 0 has no part in any gradient, even if the slope of its score is infinite") {
  const auto [dtype, far, tolerance] =
      GENERATE(std::tuple{DType::f64, 1e160, 1e-12}, std::tuple{DType::f32, 1e25, 1e-4});
  const std::int64_t value_size = GENERATE(1, 3);
  const Variable q = parameter(drawn({4, 1}, 3, dtype)), w = parameter(full({}, -0.5, dtype));
  const Variable values = drawn({5, value_size}, 2, dtype), near = drawn({4, 1}, 1, dtype);
  const Variable with_far = cat({near, full({1, 1}, far, dtype)}, 0);
  const auto slopes = [&](const ByPairs attention, const Variable& k, const Variable& v) {
    const Variable output = attention(shipped_scores::weighted_l2(), q, k, v, {.parameters = w});
    const auto first = grad({sum(square(output))}, {q, w}, {.create_graph = true});
    const auto second = grad({sum(square(first[0])) + square(first[1])}, {q, w});
    return std::vector<Variable>{first[0], first[1], second[0], second[1]};
  };
  const auto expected = slopes(composed_attention, near, slice(values, 0, 0, 4));
  for (const ByPairs attention : both_methods) {
    const auto found = slopes(attention, with_far, values);
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(allclose(found[i].value(), expected[i].value(), tolerance, tolerance / 10));
  }
}

TEST_CASE("attention: NaN in one of two packed documents reaches nothing of the other") {
  const Tensor block = ones({6, 6}, DType::f64), none = zeros({6, 6}, DType::f64);
  const Mask documents = Mask::keep(cat({cat({block, none}, 1), cat({none, block}, 1)}, 0));
  const auto second = [](const Variable& x) { return slice(x, 0, 6, 12); };
  const Tensor place = reshape(arange(12, DType::f64), {12, 1});
  const int poisoned = GENERATE(0, 1, 2);
  const double bad = GENERATE(static_cast<double>(NAN), 1e200);
  const std::int64_t value_size = GENERATE(1, 4);
  const bool values_learn = GENERATE(true, false);
  const std::vector<Tensor> sound{drawn({12, 3}, 1, DType::f64), drawn({12, 3}, 2, DType::f64),
                                  drawn({12, value_size}, 3, DType::f64)};
  const auto inputs = [&](const auto& change) {
    std::vector<Variable> in;
    for (int i = 0; i < 3; ++i) {
      const Variable x = change(i, sound[static_cast<std::size_t>(i)]);
      in.push_back(i < 2 || values_learn ? parameter(x.value()) : x);
    }
    return in;
  };
  const auto in = inputs([&](int i, const Tensor& x) {
    return i == poisoned ? where(equal(place, 2.0), full({}, bad, DType::f64), x) : x;
  });
  const auto alone = inputs([&](int, const Tensor& x) { return second(x).value(); });
  const auto learning = [&](const std::vector<Variable>& all) {
    return values_learn ? all : std::vector<Variable>{all[0], all[1]};
  };
  for (const FusedScore& score : {shipped_scores::dot(0.5), shipped_scores::squared_l2(0.5), shipped_scores::l1(0.3)})
    for (const ByPairs attention : both_methods) {
      const Variable expected = attention(score, alone[0], alone[1], alone[2], {});
      const auto want = grad({sum(square(expected))}, learning(alone));
      // With a loss over the whole output the gradients of the first document's rows are NaN themselves.
      for (const auto& [whole, create_graph] : {std::pair{false, false}, {false, true}, {true, false}}) {
        if (whole && attention != fused_attention) continue;
        INFO("input " << poisoned << " " << bad << ", values of " << value_size << (whole ? ", whole" : ""));
        const Variable output = attention(score, in[0], in[1], in[2], {.mask = documents});
        CHECK(allclose(second(output).value(), expected.value(), 1e-12, 1e-13));
        const auto got =
            grad({sum(square(whole ? output : second(output)))}, learning(in), {.create_graph = create_graph});
        for (std::size_t i = 0; i < got.size(); ++i)
          CHECK(allclose(second(got[i]).value(), want[i].value(), 1e-12, 1e-13));
      }
    }
  // Weights that a picture shows are 0 behind the mask, NaN or not.
  const Tensor k = where(equal(place, 2.0), full({}, NAN, DType::f64), drawn({12, 3}, 2, DType::f64));
  const Tensor row =
      fused_weights(shipped_scores::dot(1), drawn({12, 3}, 1, DType::f64), k, k, {0}, {.mask = documents});
  CHECK(sum(is_nan(row)).item() == 6);
  CHECK(max(abs(slice(row, 1, 6, 12))).item() == 0);
  Attention holding_all(ScaledDotProduct{});
  const Tensor output = holding_all(k, k, k, documents).output.value(), later = second(k).value();
  CHECK(allclose(second(output).value(), holding_all(later, later, later).output.value(), 1e-12, 1e-13));
}

TEST_CASE("fused attention: relu, maximum and minimum pass NaN on, and have the slopes of their twins") {
  const FusedScore clipped = score([](auto a, auto b) { return relu(a * b); });
  const FusedScore between =
      score([](auto a, auto b) { return maximum(a, b) - 0.5 * minimum(a * b, 0.3) + maximum(b, 0.1) * minimum(a, b); });
  for (const FusedScore& score : {clipped, between}) {
    const std::vector<Variable> in{parameter(drawn({5, 3}, 1, DType::f64)), parameter(drawn({70, 3}, 2, DType::f64)),
                                   parameter(drawn({70, 2}, 3, DType::f64))};
    const auto gradients = [&](const auto& attention) {
      return grad({sum(square(attention(score, in[0], in[1], in[2], FusedOptions{})))}, in);
    };
    const auto fused = gradients(fused_attention), composed = gradients(composed_attention);
    for (std::size_t i = 0; i < in.size(); ++i) CHECK(allclose(fused[i].value(), composed[i].value(), 1e-12, 1e-13));
    const Variable nan = full({1, 3}, NAN, DType::f64), one = ones({1, 3}, DType::f64);
    CHECK(std::isnan(fused_attention(score, nan, one, one).value().at({0, 0})));
    CHECK(std::isnan(fused_attention(score, one, nan, one).value().at({0, 0})));
  }
}

TEST_CASE("fused masks: with its own key hidden, a query may be blind and a key unseen") {
  const Shape scores{2, 3, 5, 5}, one{1, 1};
  for (const Mask& mask : {Mask::others() & Mask::causal(), Mask::others(), Mask::others().at(2),
                           Mask::others() & Mask::valid_lengths({1, 4}), Mask::others().at(-1) & Mask::causal(-1)})
    for (const Shape& shape : {scores, one}) {
      if (shape == one && mask.to_string().find("lengths") != std::string::npos) continue;
      INFO(mask.to_string());
      const Tensor keep = expand(mask.table(shape, DType::f64), shape);
      const Visible visible = mask.resolve(shape, DType::f64).visible;
      const Tensor seen = max(keep, -2, keepdim), seeing = max(keep, -1, keepdim);
      CHECK(identical(expand(seen_keys(visible, shape, DType::f64), seen.shape()), seen));
      CHECK(identical(expand(seeing_queries(visible, shape, DType::f64), seeing.shape()), seeing));
    }
}

}  // namespace regard::nn

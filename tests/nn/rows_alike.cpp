// No bit of a row of fused attention depends on other rows, or on keys that follow and that it does not see. So
// decoding with a cache is the full pass, bit for bit; and weights sum to 1 for scores of any size.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/catch.h"

namespace regard::nn {
namespace {

struct Sample {
  std::string name;
  FusedScore score;
  Variable parameters = {};
};

std::vector<Sample> samples(DType dtype, std::int64_t features) {
  const auto capped = [](auto s, auto i, auto j, auto) { return 3 * tanh(s / 3) - 0.01 * abs(i - j); };
  return {{"dot", shipped_scores::dot(0.3)},
          {"additive", shipped_scores::additive(), Variable(full({features}, 0.5, dtype))},
          {"L1", shipped_scores::l1(0.2)},
          {"capped, with distance", modified(shipped_scores::dot(1), capped)},
          {"a sum", shipped_scores::dot(0.2) + shipped_scores::squared_l2(0.1)}};
}

struct Rows {
  Variable q, k, v;
  Rows(std::int64_t length, std::int64_t features, std::int64_t value_size, DType dtype) {
    Generator g(3);
    const auto draw = [&](std::int64_t size) { return Variable(normal({length, size}, g, 0, 1, dtype)); };
    q = draw(features), k = draw(features), v = draw(value_size);
  }
};

Tensor attend(const Sample& s, const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
              std::int64_t offset = 0) {
  return fused_attention(s.score, q, k, v, {.parameters = s.parameters, .mask = mask, .offset = offset}).value();
}

// What `row` and those behind it up to `end` give by themselves, with the keys up to their end.
Tensor decoded(const Sample& s, const Rows& x, std::int64_t row, std::int64_t end) {
  return attend(s, slice(x.q, 0, row, end), slice(x.k, 0, 0, end), slice(x.v, 0, 0, end), Mask::causal(), row);
}

}  // namespace

TEST_CASE("rows alike: decoding is the full pass, bit for bit") {
  for (const DType dtype : {DType::f32, DType::f64})
    for (const auto& [features, value_size] : {std::pair{2, 5}, {8, 1}, {8, 64}})
      for (const Sample& s : samples(dtype, features)) {
        INFO(s.name << ", " << name_of(dtype) << ", " << features << " features, values of " << value_size);
        const Rows x(1300, features, value_size, dtype);
        const Tensor all = attend(s, x.q, x.k, x.v, Mask::causal());
        for (const std::int64_t row : {0, 1, 15, 63, 64, 191, 192, 255, 256, 511, 512, 513, 764, 765, 1023, 1024, 1299})
          for (const std::int64_t count : {1, 2, 7}) {
            const std::int64_t end = std::min<std::int64_t>(1300, row + count);
            INFO("rows " << row << " to " << end);
            CHECK(identical(decoded(s, x, row, end), slice(all, 0, row, end)));
          }
      }
}

TEST_CASE("rows alike: padding changes no bit, on the right and, given as a range, on the left") {
  const std::int64_t length = 600, padding = 77;
  for (const DType dtype : {DType::f32, DType::f64})
    for (const Sample& s : samples(dtype, 8)) {
      const std::int64_t value_size = s.name == "dot" || s.name == "a sum" ? 1 : 5;
      INFO(s.name << ", " << name_of(dtype));
      const Rows x(length + padding, 8, value_size, dtype);
      const auto real = [&](const Variable& all, std::int64_t begin) { return slice(all, 0, begin, begin + length); };
      const Tensor alone = attend(s, real(x.q, 0), real(x.k, 0), real(x.v, 0), {});
      const Mask right = Mask::by_range("right", [&](std::int64_t) { return KeyRange{0, length}; });
      CHECK(identical(slice(attend(s, x.q, x.k, x.v, right), 0, 0, length), alone));

      const Tensor moved = attend(s, real(x.q, padding), real(x.k, padding), real(x.v, padding), {});
      const Mask left = Mask::by_range("left", [&](std::int64_t) { return KeyRange{padding, padding + length}; });
      CHECK(identical(slice(attend(s, x.q, x.k, x.v, left), 0, padding, padding + length), moved));
    }
}

// A table says nothing of where the sequence begins, so sums are cut at other places.
TEST_CASE("rows alike: keys that a table hides on the left change no more than rounding") {
  const std::int64_t length = 600, padding = 77;
  for (const auto& [dtype, tolerance] : {std::pair{DType::f32, 1e-6}, {DType::f64, 1e-13}})
    for (const Sample& s : samples(dtype, 8)) {
      INFO(s.name << ", " << name_of(dtype));
      const Rows x(length + padding, 8, 5, dtype);
      const auto real = [&](const Variable& all) { return slice(all, 0, padding, padding + length); };
      const Tensor places = reshape(arange(length + padding, dtype), {1, length + padding});
      const Mask left = Mask::keep(to(greater_equal(places, static_cast<double>(padding)), dtype));
      const Tensor alone = attend(s, real(x.q), real(x.k), real(x.v), {});
      const Tensor hidden = slice(attend(s, x.q, x.k, x.v, left), 0, padding, padding + length);
      CHECK(largest_difference(hidden, alone) < tolerance);
    }
}

TEST_CASE("weights of fused attention sum to 1, however large the scores") {
  for (const FusedScore& score : {shipped_scores::dot(0.125), shipped_scores::l1(0.5)})
    for (const double size : {1, 10, 30, 1000}) {
      Generator g(1);
      const Variable q = normal({64, 64}, g, 0, size), k = normal({100, 64}, g, 0, size), v = normal({100, 3}, g);
      std::vector<std::int64_t> all(64);
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
      for (const std::vector<std::int64_t>& queries : {all, {37}}) {
        INFO("numbers of deviation " << size << ", " << queries.size() << " rows");
        const Tensor weights = fused_weights(score, q, k, v, queries);
        CHECK(max(abs(sum(to(weights, DType::f64), -1) - 1)).item() < 1e-6);
      }
    }
}

// 772 queries of 8 heads leave blocks of a single query behind.
TEST_CASE("gradients of a block of one query are those of many, however large the scores") {
  Generator g(2);
  const auto draw = [&](std::int64_t length) { return parameter(normal({8, length, 64}, g, 0, 30)); };
  const Variable q = draw(772), k = draw(40), v = draw(40);
  const auto gradient = [&](const Variable& queries) {
    return grad({sum(square(fused_attention(shipped_scores::dot(0.125), queries, k, v)))}, {queries})[0];
  };
  const Variable fewer = parameter(slice(q.value(), 1, 0, 768));
  const Tensor all = slice(gradient(q).value(), 1, 0, 768), some = gradient(fewer).value();
  CHECK(identical(all, some));
}

// With scores of thousands one weight is 1 and the others 0 to the last bit. Then no score matters, in any dtype.
TEST_CASE("gradients in f32 vanish where one weight is all but 1, as those of the twin do") {
  for (const std::int64_t value_size : {1, 8}) {
    Generator g(1);
    const auto draw = [&](std::int64_t length, std::int64_t size, double deviation) {
      return parameter(normal({length, size}, g, 0, deviation));
    };
    const Variable q = draw(64, 8, 100), k = draw(100, 8, 100), v = draw(100, value_size, 1);
    for (const Variable& gradient : grad({sum(fused_attention(shipped_scores::dot(0.35), q, k, v))}, {q, k}))
      CHECK(max(abs(gradient.value())).item() < 1e-12);
  }
}

}  // namespace regard::nn

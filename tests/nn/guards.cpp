// What guards shapes, drawn at random: what broadcasts after the rule gives what it gives when it is written out, and
// what does not is refused. The loops behind these guards read where a shape sends them.
#include "autograd/all.h"
#include "autograd/attention/score.h"
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <functional>
#include <optional>

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

class Shapes {
 public:
  explicit Shapes(std::uint64_t seed) : generator_(seed) {}

  std::int64_t below(std::int64_t end) {
    return static_cast<std::int64_t>(generator_.at(generator_.take(1)).first % static_cast<std::uint64_t>(end));
  }

  Shape front(int rank) {
    Shape shape;
    for (int i = 0; i < rank; ++i) shape.push_back(1 + below(3));
    return shape;
  }

  // Like a shape, but axes may be 1, missing in front or too many; and now and then one has a size that fits nothing.
  Shape near(const Shape& whole, int least_rank, int longer) {
    Shape shape;
    const int rank = least_rank + static_cast<int>(below(whole.rank() - least_rank + 1 + longer));
    for (int i = rank; i > 0; --i) shape.push_back(below(3) == 0 || i > whole.rank() ? 1 : whole.back(i));
    if (rank > 0 && below(2) == 0) shape[static_cast<int>(below(rank))] = 5;
    return shape;
  }

 private:
  Generator generator_;
};

bool fits(const Shape& small, const Shape& whole) {
  for (int i = 1; i <= small.rank(); ++i)
    if (i > whole.rank() || (small.back(i) != 1 && small.back(i) != whole.back(i))) return false;
  return true;
}

MaskRule rule(const ResolvedMask& mask) {
  return [mask](const Shape&, DType, std::int64_t) { return mask; };
}

// The output, or nothing where the call is refused.
template <class F>
std::optional<Tensor> output_of(const F& f) {
  try {
    return f().value();
  } catch (const ShapeError&) {
    return std::nullopt;
  }
}

}  // namespace

TEST_CASE("guards: a table, a bias or parameters broadcast, or are refused") {
  int refused = 0, taken = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Shapes draw(seed);
    const Shape front = draw.front(static_cast<int>(draw.below(3)));
    Shape of_q = front, of_k = front;
    const std::int64_t queries = 2 + draw.below(3), keys = 2 + draw.below(3);
    for (Shape* shape : {&of_q, &of_k}) shape->push_back(shape == &of_q ? queries : keys), shape->push_back(4);
    Shape scores = of_q;
    scores[scores.rank() - 1] = keys;
    const Variable q = noise(of_q, seed), k = noise(of_k, seed + 1), v = noise(of_k, seed + 2);
    const Shape table = draw.near(scores, 2, 1), numbers = draw.near(of_k, 0, 1);
    const Tensor bias = noise(table, seed + 3), keep = to(greater(bias, -0.5), DType::f64);
    const Tensor theta = noise(numbers, seed + 4);
    CAPTURE(seed, to_string(scores), to_string(table), to_string(numbers));

    for (const auto& attention : {fused_attention, composed_attention}) {
      const FusedScore dot = shipped_scores::dot(0.5), additive = shipped_scores::additive();
      const auto with_mask = [&](const ResolvedMask& mask) {
        return output_of([&] { return attention(dot, q, k, v, {.mask = rule(mask)}); });
      };
      const auto with_numbers = [&](const Tensor& x) {
        return output_of([&] { return attention(additive, q, k, v, {.parameters = x}); });
      };
      const auto same = [&](const auto& call, const Tensor& x, const Shape& whole) {
        const auto made = call(x);
        REQUIRE(made.has_value() == fits(x.shape(), whole));
        made ? ++taken : ++refused;
        if (made) CHECK(allclose(*made, *call(contiguous(expand(x, whole))), 1e-12, 1e-12));
      };
      same([&](const Tensor& x) { return with_mask({.bias = x}); }, bias, scores);
      same([&](const Tensor& x) { return with_mask({.visible = {.keep = x}}); }, keep, scores);
      same(with_numbers, theta, of_k);
    }
  }
  CHECK(refused > 600);
  CHECK(taken > 600);
}

TEST_CASE("guards: keys and values serve all queries, or are refused") {
  int refused = 0, taken = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Shapes draw(seed);
    const int rank = static_cast<int>(draw.below(3));
    Shape front = draw.front(rank), of_q = front;
    if (rank > 1 && draw.below(2) == 0) of_q[rank - 1] *= 2;  // more heads of queries than of keys
    Shape of_k = draw.near(front, rank, 0), of_v = draw.near(front, rank, 0), wide = of_q;
    for (Shape* shape : {&of_q, &of_k, &of_v, &wide}) shape->push_back(shape == &of_q ? 2 : 3), shape->push_back(4);
    CAPTURE(seed, to_string(of_q), to_string(of_k), to_string(of_v));
    const auto serves = [&](const Shape& keys) {
      bool all = true;
      for (int i = 0; i < rank; ++i)
        all = all && (keys[i] == of_q[i] || keys[i] == 1 || (rank > 1 && i == rank - 1 && of_q[i] % keys[i] == 0));
      return all;
    };
    // Each query's own keys, written out: heads that share a head of keys are neighbours.
    const auto own = [&](const Tensor& x) {
      Tensor y = x;
      for (int i = 0; i < rank; ++i)
        if (y.size(i) != of_q[i]) y = repeat_interleave(Variable(y), of_q[i] / y.size(i), i).value();
      return y;
    };
    const Variable q = noise(of_q, seed);
    const Tensor k = noise(of_k, seed + 1), v = noise(of_v, seed + 2);
    for (const auto& attention : {fused_attention, composed_attention}) {
      const FusedScore dot = shipped_scores::dot(0.5);
      const auto made = output_of([&] { return attention(dot, q, k, v, {}); });
      REQUIRE(made.has_value() == (serves(of_k) && serves(of_v)));
      made ? ++taken : ++refused;
      if (made) CHECK(allclose(*made, attention(dot, q, own(k), own(v), {}).value(), 1e-12, 1e-12));
    }
  }
  CHECK(refused > 200);
  CHECK(taken > 200);
}

TEST_CASE("guards: marks of sequences need sequences, and as many") {
  for (const Mask& mask : {Mask::valid_from({0, 1, 2}), Mask::valid_lengths({1, 2, 3})}) {
    CHECK_THROWS_AS(mask.resolve({3, 4}, DType::f32), ShapeError);  // three queries are not three sequences
    CHECK_THROWS_AS(mask.resolve({2, 3, 4}, DType::f32), ShapeError);
    CHECK_NOTHROW(mask.resolve({3, 3, 4}, DType::f32));
    CHECK_NOTHROW(mask.resolve({3, 2, 3, 4}, DType::f32));
  }
}

TEST_CASE("guards: a number at the end of what is allowed is taken, and the next is refused") {
  const Variable x = noise({2, 3, 4});
  const Tensor logits = noise({2, 3}), classes = tensor({0, 2}, DType::i64);
  const auto whole = [](double number) { return static_cast<std::int64_t>(number); };
  const auto buckets = [](std::int64_t count, std::int64_t distance) {
    t5_bucket(0, {.heads = 1, .direction = T5Options::Direction::causal, .buckets = count, .max_distance = distance});
  };
  Generator generator(1);
  struct Row {
    const char* what;
    std::function<void(double)> call;
    std::vector<double> taken, refused;
  };
  const Row rows[] = {
      {"label smoothing",
       [&](double e) { cross_entropy(logits, classes, {.label_smoothing = e}); },
       {0, 1},
       {-0.1, 1.1}},
      {"dropout in tiles",
       [&](double p) { fused_attention(shipped_scores::dot(1), x, x, x, {.dropout = p, .generator = &generator}); },
       {0, 0.99},
       {-0.1, 1}},
      {"epsilon of a layer", [](double e) { LayerNorm({.size = 2, .epsilon = e}); }, {0, 1}, {-1, inf}},
      {"epsilon of a step", [&](double e) { optim::AdamW({parameter(ones({2}))}, {.epsilon = e}); }, {0, 1}, {-1, inf}},
      {"momentum", [&](double m) { optim::SGD({parameter(ones({2}))}, {.momentum = m}); }, {0, 0.99}, {-0.1, 1}},
      {"top p", [&](double p) { keep_top_p(logits, p); }, {0.01, 1}, {0, 1.1}},
      {"top k", [&](double k) { topk(logits, whole(k), 1); }, {0, 3}, {-1, 4}},
      {"height of a margin",
       [&](double m) {
         MaxPool2d({.kernel = 4, .padding = {whole(m), 0}});
       },
       {0, 2},
       {-1, 3}},
      {"width of a margin",
       [&](double m) {
         MaxPool2d({.kernel = 4, .padding = {0, whole(m)}});
       },
       {0, 2},
       {-1, 3}},
      {"buckets", [&](double count) { buckets(whole(count), 10); }, {2, 3}, {0, 1}},
      {"distance of the last bucket", [&](double distance) { buckets(8, whole(distance)); }, {5, 6}, {3, 4}},
  };
  for (const auto& [what, call, taken, refused] : rows) {
    for (const double number : taken) {
      CAPTURE(what, number);
      CHECK_NOTHROW(call(number));
    }
    for (const double number : refused) {
      CAPTURE(what, number);
      CHECK_THROWS_AS(call(number), ValueError);
    }
  }
}

}  // namespace regard::nn

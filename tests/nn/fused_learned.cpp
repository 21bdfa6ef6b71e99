// Numbers of pairs that learn, for each head and by distance, in fused attention: they are those of the composed twin,
// whatever tile they fall into, and do not depend on the number of threads.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/catch.h"
#include "tests/tensor/threads.h"

namespace regard::nn {
namespace {

using Catch::Matchers::ContainsSubstring;

struct Learning {
  FusedScore score;
  std::vector<Variable> learned;
  Variable parameters = {};
};

Variable draw(const Shape& shape, std::uint64_t seed, DType dtype = DType::f64) {
  Generator generator(seed);
  return parameter(normal(shape, generator, 0, 1, dtype));
}

// −square of the distance over a width, and a table by distance, one above the other, beside another score.
Learning everything(std::int64_t heads, DType dtype) {
  const Variable width = parameter(full({heads}, 30, dtype)), table = draw({12, heads}, 3, dtype);
  const Variable cap = parameter(full({}, 3, dtype)), weights = draw({heads, 1, 8}, 4, dtype);
  const auto prior = [](auto s, auto i, auto j, auto, auto w) { return s - square((i - j) / w); };
  const FusedScore near = shipped_scores::with_numbers(
      modified(score(Dot{0.3}), per_head(width), prior),
      by_distance(table, [](std::int64_t ahead) { return std::clamp<std::int64_t>(ahead / 40 + 6, 0, 11); }));
  return {near + shipped_scores::soft_capped(shipped_scores::additive(), per_head(cap)),
          {width, table, cap, weights},
          weights};
}

// One that only adds n may say so, by a member that is true, and is then taken to have no other slopes than 1.
struct AddsTwice {
  static constexpr bool only_adds = false;
  auto operator()(auto s, auto, auto, auto, auto n) const { return s + 2 * n; }
};

using Computing = decltype(fused_attention);

std::vector<Variable> run(Computing& attention, const Learning& learning, const std::vector<Variable>& x,
                          const Mask& mask, std::int64_t offset = 0) {
  const Variable y =
      attention(learning.score, x[0], x[1], x[2], {.parameters = learning.parameters, .mask = mask, .offset = offset});
  std::vector<Variable> of = x;
  of.insert(of.end(), learning.learned.begin(), learning.learned.end());
  std::vector<Variable> all = grad({sum(y * draw(y.shape(), 9, y.dtype()))}, of);
  all.push_back(y);
  return all;
}

double largest_difference_of(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  double worst = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    const double size = std::max(1.0, max(abs(b[n].value())).item());
    worst = std::max(worst, max(abs(a[n].value() - b[n].value())).item() / size);
  }
  return worst;
}

std::vector<Variable> inputs(std::int64_t lq, std::int64_t lk, DType dtype = DType::f64) {
  return {draw({2, 3, lq, 8}, 5, dtype), draw({2, 3, lk, 8}, 6, dtype), draw({2, 3, lk, 5}, 7, dtype)};
}

}  // namespace

TEST_CASE("numbers of pairs: outputs and all gradients are those of the twin, in every tile") {
  const Learning learning = everything(3, DType::f64);
  for (const auto& [lq, lk] : {std::pair{1, 1}, {1, 300}, {300, 1}, {7, 65}, {200, 530}}) {
    INFO(lq << " queries, " << lk << " keys");
    for (const Mask& mask : {Mask{}, Mask::causal(), Mask::valid_lengths({3, lk})}) {
      INFO(mask.to_string());
      const auto x = inputs(lq, lk);
      CHECK(largest_difference_of(run(fused_attention, learning, x, mask, 4),
                                  run(composed_attention, learning, x, mask, 4)) < 1e-12);
    }
  }
}

TEST_CASE("numbers of pairs: the gradients do not depend on the number of threads") {
  const Learning learning = everything(3, DType::f32);
  const auto x = inputs(200, 900, DType::f32);
  const auto with_threads = [&](int count) {
    const Threads threads(count);
    return run(fused_attention, learning, x, Mask::causal());
  };
  const auto one = with_threads(1), four = with_threads(4);
  for (std::size_t n = 0; n < one.size(); ++n) CHECK(identical(one[n].value(), four[n].value()));
}

TEST_CASE("a bias that learns: for all, per head, per key, the gradient is the twin's, with any number of threads") {
  const auto x = inputs(100, 600, DType::f64);
  for (const Shape& shape : {Shape{100, 600}, {1, 3, 100, 600}, {2, 1, 100, 600}, {1, 1, 1, 600}, {1, 3, 100, 1}}) {
    const Variable bias = draw(shape, 8);
    const Learning learning{shipped_scores::dot(0.3), {bias}};
    const auto with_threads = [&](int count) {
      const Threads threads(count);
      return run(fused_attention, learning, x, Mask::bias(bias));
    };
    const auto one = with_threads(1), three = with_threads(3);
    for (std::size_t n = 0; n < one.size(); ++n) CHECK(identical(one[n].value(), three[n].value()));
    CHECK(largest_difference_of(one, run(composed_attention, learning, x, Mask::bias(bias))) < 1e-12);
  }
}

TEST_CASE("a sum of scores: its parts may want their keys multiplied by different factors") {
  const Learning learning{score(Dot{0.2}) + shipped_scores::l1(0.5) + score(Dot{-3}), {}};
  for (const auto& [lq, lk] : {std::pair{1, 1}, {130, 600}}) {
    const auto x = inputs(lq, lk);
    CHECK(largest_difference_of(run(fused_attention, learning, x, {}), run(composed_attention, learning, x, {})) <
          1e-12);
  }
}

// One query, two keys, D = 1: s = (0, −n·1), so the output is 1/(1 + e^(−n)) for values 1, 0.
TEST_CASE("numbers of pairs: by hand") {
  const Variable zero = zeros({1, 1}, DType::f64), keys = zeros({2, 1}, DType::f64);
  const Variable values = tensor({1, 0}, {2, 1}, DType::f64), slope = parameter(full({}, 0.7, DType::f64));
  const Variable y =
      fused_attention(shipped_scores::with_slopes(shipped_scores::dot(1), per_head(slope)), zero, keys, values);
  const double share = 1 / (1 + std::exp(-0.7));
  CHECK(std::abs(y.item() - share) < 1e-15);
  CHECK(std::abs(grad({y}, {slope})[0].item() - share * (1 - share)) < 1e-15);
}

// s = (0, −½·|0 − 2|)
TEST_CASE("distance: the factor of a score multiplies, by hand") {
  const Variable zero = zeros({1, 1}, DType::f64), keys = tensor({0, 2}, {2, 1}, DType::f64);
  const Variable values = tensor({1, 0}, {2, 1}, DType::f64);
  for (Computing* how : {&fused_attention, &composed_attention})
    CHECK(std::abs(how(shipped_scores::l1(0.5), zero, keys, values, {}).item() - 1 / (1 + std::exp(-1))) < 1e-15);
}

// s = (0, −0.7·1 + 0.2): each part of a sum has its own numbers.
TEST_CASE("a sum of scores: each part keeps its numbers, by hand") {
  const Variable zero = zeros({1, 1}, DType::f64), keys = zeros({2, 1}, DType::f64);
  const Variable values = tensor({1, 0}, {2, 1}, DType::f64);
  const FusedScore falling = shipped_scores::with_slopes(shipped_scores::dot(1), per_head(full({}, 0.7, DType::f64)));
  const FusedScore raised = shipped_scores::with_numbers(shipped_scores::dot(1), per_key(tensor({0, 0.2}, DType::f64)));
  for (Computing* how : {&fused_attention, &composed_attention})
    for (const FusedScore& both : {falling + raised, raised + falling})
      CHECK(std::abs(how(both, zero, keys, values, {}).item() - 1 / (1 + std::exp(-0.5))) < 1e-15);
}

TEST_CASE("a modifier that says it does more than add has slopes of its own") {
  const Variable n = draw({5, 3}, 1);
  const Learning learning{modified(shipped_scores::dot(0.3), by_distance(n), AddsTwice{}), {n}};
  const auto x = inputs(4, 6);
  const auto fused = run(fused_attention, learning, x, {}), composed = run(composed_attention, learning, x, {});
  CHECK(largest_difference_of(fused, composed) < 1e-12);
}

TEST_CASE("numbers of pairs: a single head is the same with an axis of heads and without") {
  const Variable slope = draw({1}, 1), table = draw({5, 1}, 2);
  const Variable q = draw({4, 2}, 3), k = draw({6, 2}, 4), v = draw({6, 3}, 5);
  const auto attend = [&](Computing* how, const Variable& slopes, const Variable& numbers, const Shape& front) {
    const auto in = [&](const Variable& x) {
      Shape shape = front;
      for (const std::int64_t size : x.shape()) shape.push_back(size);
      return reshape(x, shape);
    };
    const FusedScore sloping = shipped_scores::with_slopes(shipped_scores::dot(0.3), per_head(slopes));
    return how(shipped_scores::with_numbers(sloping, by_distance(numbers)), in(q), in(k), in(v), {}).value();
  };
  for (Computing* how : {&fused_attention, &composed_attention}) {
    const Tensor expected = attend(how, reshape(slope, {}), reshape(table, {5}), {});
    for (const Shape& front : {Shape{}, {1}, {1, 1}})
      CHECK(largest_difference(reshape(attend(how, slope, table, front), {4, 3}), expected) == 0);
  }
}

// Cᵢ − Cⱼ where both are about 30,000: a sum in f32 would be off by 1e-3.
TEST_CASE("numbers of tokens: what is added for a query and a key keeps its digits where the numbers are large") {
  const Variable q = draw({1, 2, 200, 8}, 1), k = draw({1, 2, 600, 8}, 2), v = draw({1, 2, 600, 5}, 3);
  const Variable steps = draw({1, 2, 600}, 4);
  const auto attend = [&](Computing& how, DType dtype) {
    const Variable c = 30000.0 + cumsum(square(steps), -1);
    const auto in = [&](const Variable& x) { return to(x, dtype); };
    const FusedScore faded =
        shipped_scores::with_numbers(shipped_scores::dot(0.3), per_query(slice(c, -1, 400)) - per_key(c));
    const Variable y = how(faded, in(q), in(k), in(v), {.mask = Mask::causal(), .offset = 400});
    std::vector<Variable> found = grad({sum(to(y, DType::f64) * draw(y.shape(), 9))}, {q, k, v, steps});
    found.push_back(to(detach(y), DType::f64));
    return found;
  };
  const auto right = attend(composed_attention, DType::f64);
  CHECK(largest_difference_of(attend(fused_attention, DType::f64), right) < 1e-12);
  CHECK(largest_difference_of(attend(fused_attention, DType::f32), right) < 1e-4);
  CHECK(largest_difference_of(attend(composed_attention, DType::f32), right) < 1e-4);

  // Beside numbers by distance, since each of several numbers may be the only one to learn.
  const auto small = [](const auto& in) {
    const FusedScore faded = shipped_scores::with_numbers(shipped_scores::dot(1), per_query(in[3]) - per_key(in[4]));
    return fused_attention(shipped_scores::with_numbers(faded, by_distance(in[5])), in[0], in[1], in[2],
                           {.mask = Mask::causal(1)});
  };
  const std::vector<Variable> in{draw({2, 3, 2}, 1), draw({2, 4, 2}, 2), draw({2, 4, 2}, 3),
                                 draw({3}, 4),       draw({2, 4}, 5),    draw({3}, 6)};
  CHECK(gradcheck(small, in, {.order = 2, .required = 3}).passed());  // softmax takes away what a query adds to all
}

TEST_CASE("numbers of pairs: errors name the function and what is wrong") {
  const Variable x = zeros({1, 2, 3, 4}), table = ones({5, 3});
  const auto attend = [&](const PairNumber& number) {
    fused_attention(shipped_scores::with_numbers(shipped_scores::dot(1), number), x, x, x);
  };
  CHECK_THROWS_WITH(per_head(ones({2, 1})), ContainsSubstring("per_head: (2, 1): it must be one number, (), or"));
  CHECK_THROWS_WITH(per_head({}), ContainsSubstring("per_head: "));
  CHECK_THROWS_WITH(attend(per_key(ones({2}))),
                    ContainsSubstring("per_key (2): its last axis must be 3 long, one number for each"));
  CHECK_THROWS_WITH(attend(per_query(ones({}))),
                    ContainsSubstring("per_query (): its last axis must be 3 long, one number for each"));
  CHECK_THROWS_WITH(attend(PairNumber{[](const char*, const PairGrid&) { return Variable(ones({})); }, true}),
                    ContainsSubstring("numbers () of queries and keys do not broadcast to scores (1, 2, 3, 3)"));
  CHECK_THROWS_WITH(attend(per_query(ones({5, 3}))), ContainsSubstring("do not broadcast to scores (1, 2, 3, 3)"));
  CHECK_THROWS_WITH(per_head(ones({2})) - per_key(ones({3})),
                    ContainsSubstring("per_query and per_key can be subtracted"));
  CHECK_THROWS_WITH(by_distance(ones({})), ContainsSubstring("by_distance: the table is ()"));
  CHECK_THROWS_WITH(by_distance(ones({0, 2})), ContainsSubstring("by_distance: the table is (0, 2)"));
  CHECK_THROWS_WITH(attend(per_head(ones({3}))),
                    ContainsSubstring("fused_attention: per_head (3) is for 3 heads, and the scores have 2"));
  CHECK_THROWS_WITH(attend(by_distance(table)), ContainsSubstring("(5, 3) is for 3 heads, and the scores have 2"));
  CHECK_THROWS_WITH(attend(by_distance(ones({5}), [](std::int64_t ahead) { return ahead; })),
                    ContainsSubstring("the entry of distance -2 is -2, and the table has 5 entries"));
  CHECK_THROWS_WITH(attend(per_head(ones({}, DType::f64))), ContainsSubstring("f64"));
  CHECK_THROWS_WITH(shipped_scores::additive() + shipped_scores::additive(),
                    ContainsSubstring("operator+: both scores have parameters"));
  CHECK_THROWS_WITH(shipped_scores::dot(1) + FusedScore{}, ContainsSubstring("operator+: the score is empty"));
}

}  // namespace regard::nn

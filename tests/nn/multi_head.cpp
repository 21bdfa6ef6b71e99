#include "nn/attention/multi_head.h"

#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

MultiHeadAttention make(MultiHeadOptions options, std::uint64_t seed = 1) {
  Generator generator(seed);
  options.dtype = DType::f64;
  return {ScaledDotProduct{}, options, generator};
}

}  // namespace

// With heads that share keys, positions, dropout, sizes that differ and a mask of the module itself.
TEST_CASE("multi-head: the definition says what it computes, with every gradient") {
  const AnyScore scores[] = {ScaledDotProduct{}, Rotary(ScaledDotProduct{}, RotaryLayout::halves),
                             Alibi(ScaledDotProduct{}, 4)};
  const Mask masks[] = {
      {}, Mask::causal(), Mask::valid_lengths({3, 5}), Mask::bias(noise({2, 5, 5}, 7), MaskAxes::per_batch)};
  for (const AnyScore& score : scores)
    for (const Method method : {Method::composed, Method::fused})
      for (const Mask& mask : masks) {
        Generator generator(1);
        MultiHeadAttention heads(score,
                                 {.model = 8,
                                  .heads = 4,
                                  .key_value_heads = 2,
                                  .head_size = 6,
                                  .head_value_size = 3,
                                  .key_size = 5,
                                  .dropout = 0.25,
                                  .dtype = DType::f64,
                                  .method = method,
                                  .mask = Mask::others()},
                                 generator);
        const Variable q = parameter(noise({2, 5, 8}, 2)), k = parameter(noise({2, 5, 5}, 3)),
                       v = parameter(noise({2, 5, 8}, 4));
        std::vector<Variable> all = parameters(heads);
        all.insert(all.end(), {q, k, v});
        const Generator before = heads.attention.dropout.generator;
        const auto [expected, its_weights] = heads.definition(q, k, v, mask);
        heads.attention.dropout.generator = before;
        const auto [output, weights] = heads(q, k, v, mask);
        CHECK(allclose(output.value(), expected.value(), 1e-13, 1e-13));
        REQUIRE(weights.defined() == its_weights.defined());
        if (weights.defined()) CHECK(allclose(weights.value(), its_weights.value(), 1e-13, 1e-13));
        const auto gradients = grad({sum(square(output))}, all), as_defined = grad({sum(square(expected))}, all);
        for (std::size_t i = 0; i < all.size(); ++i)
          CHECK(allclose(gradients[i].value(), as_defined[i].value(), 1e-12, 1e-12));
      }
}

TEST_CASE("multi-head: heads have no parameters of their own, so more of them cost no more") {
  auto one = make({.model = 12, .heads = 1}), six = make({.model = 12, .heads = 6});
  CHECK(parameter_count(one) == 4 * (12 * 12 + 12));
  CHECK(parameter_count(six) == parameter_count(one));
  std::vector<std::string> names;
  for (const auto& [name, parameter] : named_parameters(six)) names.push_back(name);
  CHECK(names == std::vector<std::string>{"w_q.weight", "w_q.bias", "w_k.weight", "w_k.bias", "w_v.weight", "w_v.bias",
                                          "w_o.weight", "w_o.bias"});
}

TEST_CASE("multi-head: weights of each head, with and without a batch") {
  auto heads = make({.model = 6, .heads = 3});
  const Variable x = noise({2, 4, 6}, 2);
  const auto [output, weights] = heads(x, x, x);
  CHECK(output.shape() == Shape{2, 4, 6});
  CHECK(weights.shape() == Shape{2, 3, 4, 4});
  const Variable first = select(x, 0, 0);
  const auto [alone, its_weights] = heads(first, first, first);
  CHECK(allclose(alone.value(), select(output.value(), 0, 0), 1e-13, 1e-13));
  CHECK(allclose(its_weights.value(), select(weights.value(), 0, 0), 1e-13, 1e-13));
}

// With the rows of the matrices that belong to a head one gets its output.
TEST_CASE("multi-head: to cut projections is to cut their matrices, and each head reads all features") {
  auto heads = make({.model = 6, .heads = 3, .bias = false});
  assign(heads.w_o.weight, eye(6, DType::f64));  // so that the heads come out side by side
  const Variable x = parameter(noise({1, 4, 6}, 2));
  const Variable output = heads(x, x, x).output;
  Attention attention(ScaledDotProduct{});
  for (std::int64_t head = 0; head < 3; ++head) {
    const auto projected = [&](const Linear& of) {
      return matmul(x, transpose(slice(of.weight, 0, 2 * head, 2 * head + 2)));
    };
    const Variable part = slice(output, 2, 2 * head, 2 * head + 2);
    CHECK(allclose(part.value(),
                   attention(projected(heads.w_q), projected(heads.w_k), projected(heads.w_v)).output.value(), 1e-13,
                   1e-14));
    const Tensor slopes = grad({sum(square(part))}, {x}, {.keep_graph = true})[0].value();
    CHECK(min(abs(slopes)).item() > 0);
  }
}

TEST_CASE("multi-head: head_mask switches heads off, and gradients flow to it, also with dropout") {
  auto heads = make({.model = 4, .heads = 2, .bias = false, .dropout = 0.5});
  const Variable x = noise({2, 3, 4}, 2);
  const auto run = [&](const Variable& mask) {
    heads.attention.dropout.generator = Generator(5);
    return heads(x, x, x, {}, {.head_mask = mask}).output;
  };
  const Tensor both = run(tensor({1, 1}, DType::f64)).value(), first = run(tensor({1, 0}, DType::f64)).value(),
               second = run(tensor({0, 1}, DType::f64)).value();
  CHECK(allclose(first + second, both, 1e-13, 1e-13));
  CHECK(identical(run(tensor({{1, 0}, {0, 1}}, DType::f64)).value(),
                  cat({slice(first, 0, 0, 1), slice(second, 0, 1, 2)}, 0)));  // one row for each sequence
  CHECK(gradcheck([&](const auto& in) { return square(run(in[0])); }, {noise({2}, 7)}).passed());
  CHECK(gradcheck([&](const auto& in) { return square(run(in[0])); }, {noise({2, 2}, 8)}).passed());
}

TEST_CASE("multi-head: head_mask may be given for each sequence, and one that is not (H) or (B, H) is refused") {
  Generator generator(1);
  MultiHeadAttention heads(ScaledDotProduct{}, {.model = 4, .heads = 2}, generator);
  const Variable x = normal({3, 5, 4}, generator);
  const auto output = [&](const Variable& mask) { return heads(x, x, x, {}, {.head_mask = mask}).output.value(); };
  const Tensor each = output(tensor({{1, 0}, {0, 1}, {1, 1}}));
  for (std::int64_t b = 0; b < 3; ++b) {
    const Tensor one = output(tensor({b == 1 ? 0.0 : 1.0, b == 0 ? 0.0 : 1.0}));
    CHECK(allclose(select(each, 0, b), select(one, 0, b)));
  }
  for (const Shape& shape : {Shape{3}, Shape{3, 3}, Shape{2, 2}, Shape{1, 2}})
    CHECK_THROWS_WITH(output(ones(shape)), ContainsSubstring("for 2 heads: it must be (H) or (B, H)"));
}

// Softmax reads its weights again on the way back. A mask that were multiplied into them in place would spoil them.
TEST_CASE("multi-head: head_mask and dropout overwrite no weights, so all gradients behind them are right") {
  auto heads = make({.model = 4, .heads = 2, .bias = false, .dropout = 0.5});
  const auto run = [&](const Variable& x, const Variable& mask) {
    heads.attention.dropout.generator = Generator(5);
    return heads(x, x, x, {}, {.head_mask = mask});
  };
  const Variable x = noise({1, 3, 4}, 2), mask = tensor({0.5, 3}, DType::f64);
  CHECK(identical(run(x, mask).weights.value(), run(x, {}).weights.value()));
  CHECK(gradcheck([&](const auto& in) { return square(run(in[0], in[1]).output); }, {x, mask}).passed());
}

TEST_CASE("multi-head: grouped heads are heads whose keys and values are the same") {
  auto grouped = make({.model = 8, .heads = 4, .key_value_heads = 2});
  auto full = make({.model = 8, .heads = 4});
  const auto twice = [](const Variable& rows) {  // rows of head 0, 0, 1, 1
    const auto parts = split(rows, {2, 2}, 0);
    return cat({parts[0], parts[0], parts[1], parts[1]}, 0);
  };
  auto &from = grouped, &into = full;
  into.w_q = from.w_q;
  into.w_o = from.w_o;
  into.w_k.weight = twice(from.w_k.weight);
  into.w_k.bias = twice(from.w_k.bias);
  into.w_v.weight = twice(from.w_v.weight);
  into.w_v.bias = twice(from.w_v.bias);
  const Variable x = noise({2, 5, 8}, 3);
  CHECK(from.w_k.weight.shape() == Shape{4, 8});
  CHECK(allclose(grouped(x, x, x).output.value(), full(x, x, x).output.value(), 1e-13, 1e-13));
}

TEST_CASE(
    "multi-head: a cache keeps as many heads of keys and values as there are, and decodes in pieces of any size") {
  auto heads = make({.model = 8, .heads = 4, .key_value_heads = 1});
  const Variable x = noise({2, 6, 8}, 3);
  const Mask mask = Mask::causal() & Mask::valid_lengths({3, 6});
  const Tensor full = heads(x, x, x, mask).output.value();
  Cache cache;
  const auto step = [&](std::int64_t begin, std::int64_t end) {
    const Variable part = slice(x, 1, begin, end);
    const Tensor made = heads(part, part, part, mask, {.cache = &cache}).output.value();
    CHECK(cache.length() == end);
    CHECK(allclose(made, slice(full, 1, begin, end), 1e-13, 1e-13));
  };
  step(0, 3);
  step(3, 4);
  step(4, 6);
  CHECK(cache.as<KeyValueCache>().keys.shape() == Shape{2, 1, 6, 2});
}

// The engine takes the queries of heads that share keys as those of one head where each has one, as in writing.
TEST_CASE("multi-head: heads that share keys get what they would get with a copy for each, also in writing") {
  Generator g(1);
  MultiHeadAttention heads(ScaledDotProduct{}, {.model = 12, .heads = 6, .key_value_heads = 2, .method = Method::fused},
                           g);
  MultiHeadAttention composed = heads;
  composed.attention.method = Method::composed;
  const Variable x = noise({2, 5, 12}, 3, DType::f32), one = noise({2, 1, 12}, 4, DType::f32);
  const auto run = [&](auto& attention, const Mask& mask, AttentionCall call = {}) {
    Cache cache;
    call.cache = &cache;
    attention(x, x, x, {}, {.cache = &cache});
    return attention(one, one, one, mask, call).output.value();
  };
  const Tensor recorded = run(heads, Mask::causal());
  const NoGrad no_grad;
  CHECK(identical(run(heads, Mask::causal()), recorded));
  CHECK(identical(run(heads, Mask::causal(), {.weights = true}), recorded));
  const Variable head_mask = tensor({1, 0, 2, 0.5, 1, 3}, DType::f32);
  CHECK(allclose(run(heads, {}, {.head_mask = head_mask}), run(composed, {}, {.head_mask = head_mask}), 1e-5, 1e-6));
  for (const Mask& mask : {Mask::causal(), Mask::valid_lengths({3, 6}), Mask::bias(noise({1, 6}, 5, DType::f32))})
    CHECK(allclose(run(heads, mask), run(composed, mask), 1e-5, 1e-6));
}

TEST_CASE("multi-head: NaN in padded inputs reaches no parameter") {
  auto heads = make({.model = 4, .heads = 2});
  const Variable q = noise({1, 2, 4}, 4);
  const Tensor padded = pad(noise({1, 3, 4}, 5), {{}, {0, 2}, {}}, NAN);
  const Variable kv = parameter(padded);
  sum(square(heads(q, kv, kv, Mask::valid_lengths({3})).output)).backward();
  for (const auto& [name, parameter] : named_parameters(heads)) {
    INFO(name);
    CHECK(max(is_nan(parameter.gradient().value())).item() == 0);
  }
  CHECK(max(abs(slice(kv.gradient().value(), 1, 3))).item() == 0);
}

TEST_CASE("multi-head: what does not fit is refused") {
  CHECK_THROWS_WITH(make({.model = 6, .heads = 4}), ContainsSubstring("a model of 6 does not divide into 4 heads"));
  CHECK_THROWS_WITH(make({.model = 6, .heads = 0}), "MultiHeadAttention: heads = 0 must be 1 or more");
  CHECK_THROWS_WITH(make({.model = 6, .heads = 3, .key_value_heads = -1}),
                    "MultiHeadAttention: key_value_heads = -1 must be 1 or more, or 0 for the default");
  CHECK_THROWS_WITH(make({.model = 6, .heads = 3, .key_value_heads = 2}),
                    ContainsSubstring("3 heads cannot share 2 key-value heads evenly"));
  auto heads = make({.model = 4, .heads = 2});
  const Variable x = noise({2, 3, 4}, 1), odd = noise({1, 3, 4}, 1);
  CHECK_THROWS_WITH(heads(x, x, x, {}, {.head_mask = noise({3}, 1)}), ContainsSubstring("head_mask (3) for 2 heads"));
  CHECK_THROWS_WITH(heads(x, odd, odd), ContainsSubstring("q (2, 3, 4), k (1, 3, 4): their sequences must be as many"));
  CHECK_THROWS_WITH(heads(x, x, slice(x, 1, 1)), ContainsSubstring("there must be a value for each key"));
  const Variable four = unsqueeze(x, 0);
  CHECK_THROWS_WITH(heads(four, four, four), ContainsSubstring("q (1, 2, 3, 4): it must be (B, L, E)"));
}

TEST_CASE("multi-head: no keys, no queries and no batch") {
  Generator generator(1);
  MultiHeadAttention heads(ScaledDotProduct{}, {.model = 8, .heads = 2, .bias = false}, generator);
  CHECK(identical(heads(ones({1, 3, 8}), ones({1, 0, 8}), ones({1, 0, 8})).output.value(), zeros({1, 3, 8})));
  CHECK(heads(ones({1, 0, 8}), ones({1, 3, 8}), ones({1, 3, 8})).output.shape() == Shape{1, 0, 8});
  CHECK(heads(ones({0, 3, 8}), ones({0, 3, 8}), ones({0, 3, 8})).output.shape() == Shape{0, 3, 8});
}

TEST_CASE("multi-head: padded rows of NaN stay where they are if their queries see nothing") {
  Generator generator(1);
  MultiHeadAttention heads(ScaledDotProduct{}, {.model = 4, .heads = 2, .bias = false}, generator);
  const Tensor padded = tensor({{{1, 2, 3, 4}, {0, 1, 0, 1}, {NAN, NAN, NAN, NAN}}});
  const Variable output = heads(padded, padded, padded, Mask::valid_lengths(tensor({{2, 2, 0}}, DType::i64))).output;
  sum(slice(output, 1, 0, 2)).backward();
  for (const Variable& parameter : parameters(heads)) CHECK(sum(is_nan(parameter.gradient().value())).item() == 0);
}

}  // namespace regard::nn

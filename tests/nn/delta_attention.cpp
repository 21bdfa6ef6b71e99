// Attention with the delta rule as a module: what masks mean to it, what it remembers, and models that use it.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/nn/gradcheck_module.h"

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

DeltaAttention attention(Fading fading = Fading::per_head, bool corrects = true) {
  Generator g(2);
  return {{.model = 8,
           .heads = 2,
           .head_size = 3,
           .head_value_size = 5,
           .corrects = corrects,
           .fading = fading,
           .dtype = DType::f64},
          g};
}

const LayerOptions of_layer{.model = 8, .heads = 2, .hidden = 12, .placement = NormPlacement::pre, .dtype = DType::f64};

// Three layers with the delta rule, and then one of softmax attention that knows positions; and again.
AnyAttention three_of_four(std::int64_t layer, Generator& g) {
  if (layer % 4 != 3) return DeltaAttention({.model = 8, .heads = 2, .dtype = DType::f64}, g);
  return MultiHeadAttention(Rotary(ScaledDotProduct{}, RotaryLayout::halves),
                            {.model = 8, .heads = 2, .dtype = DType::f64}, g);
}

DecoderModel hybrid() {
  Generator g(4);
  return {three_of_four, {.vocabulary = 11, .layers = 4, .layer = of_layer}, g};
}

Tensor tokens(const Nested& ids) { return tensor(ids, DType::i64); }

Tensor run(DeltaAttention& heads, const Variable& x, const Mask& mask = Mask::causal(),
           const AttentionCall& call = {}) {
  return heads(x, x, x, mask, call).output.value();
}

}  // namespace

TEST_CASE("delta attention: of its parts only the gates have a bias") {
  DeltaAttention heads = attention();
  std::string names;
  for (const auto& [name, x] : named_parameters(heads)) names += name + " ";
  CHECK(names == "w_q.weight w_k.weight w_v.weight w_o.weight w_beta.weight w_beta.bias w_decay.weight w_decay.bias ");
}

TEST_CASE("delta attention: a head fades by one number, or by one for each feature of its keys") {
  CHECK(attention(Fading::per_head).w_decay->weight.shape() == Shape{2, 8});
  CHECK(attention(Fading::per_feature).w_decay->weight.shape() == Shape{6, 8});
  CHECK(!attention(Fading::none).w_decay);
}

TEST_CASE("delta attention: gradients of inputs and parameters are right, to second order") {
  const auto small = [](Fading fading, bool corrects) {
    Generator g(1);
    return DeltaAttention(
        {.model = 2, .heads = 2, .head_size = 2, .corrects = corrects, .fading = fading, .dtype = DType::f64}, g);
  };
  for (const DeltaAttention& heads :
       {small(Fading::none, false), small(Fading::per_head, true), small(Fading::per_feature, true)})
    check_gradients("delta attention", heads, {parameter(noise({1, 3, 2}))},
                    [](auto& m, const auto& in) { return m(in[0], in[0], in[0], Mask::causal()).output; });
}

TEST_CASE("delta attention: the output is what its weights make of the values, and W_o of that") {
  DeltaAttention heads = attention();
  const Variable x = noise({2, 70, 8});
  const auto [output, weights] = heads(x, x, x, Mask::causal(), {.weights = true});
  CHECK(weights.shape() == Shape{2, 2, 70, 70});
  CHECK(max(abs(triu(weights.value(), 1))).item() == 0);
  const Variable mixed = matmul(weights, split_heads(heads.w_v(x), 2));
  CHECK(allclose(heads.w_o(merge_heads(mixed)).value(), output.value(), 1e-12, 1e-12));
}

TEST_CASE("delta attention: padding is not there, on either side, and its NaN reaches nothing") {
  DeltaAttention heads = attention();
  const Tensor x = noise({2, 6, 8}), alone = slice(x, 0, 1, 2);
  const Tensor is_late = greater_equal(reshape(arange(6, DType::f64), {1, 6, 1}), 4.0);
  const Tensor dirty = where(multiply(to(is_late, DType::f64), f64({{{0}}, {{1}}})), full({}, nan, DType::f64), x);
  const Tensor right = run(heads, dirty, Mask::causal() & Mask::valid_lengths({6, 4}));
  CHECK(identical(slice(right, 0, 0, 1), slice(run(heads, x), 0, 0, 1)));
  CHECK(allclose(slice(slice(right, 0, 1, 2), 1, 0, 4), run(heads, slice(alone, 1, 0, 4)), 1e-14, 1e-14));
  CHECK(max(abs(slice(slice(right, 0, 1, 2), 1, 4, 6))).item() == 0);

  const Tensor left = run(heads, flip(dirty, 1), Mask::causal() & Mask::valid_from({0, 2}));
  CHECK(allclose(slice(slice(left, 0, 1, 2), 1, 2, 6), run(heads, flip(slice(alone, 1, 0, 4), 1)), 1e-14, 1e-14));
}

TEST_CASE("delta attention: with a cache it goes on, whatever padding came before") {
  DeltaAttention heads = attention(Fading::per_feature);
  const Variable x = noise({3, 9, 8});
  for (const Mask& padding : {Mask(), Mask::valid_lengths({4, 9, 6}), Mask::valid_from({3, 0, 5})}) {
    const Mask mask = Mask::causal() & padding;
    const Tensor whole = run(heads, x, mask);
    Cache cache;
    for (const auto& [begin, end] : std::vector<std::pair<int, int>>{{0, 4}, {4, 5}, {5, 9}}) {
      const Tensor part = run(heads, slice(x, 1, begin, end), mask, {.cache = &cache});
      CHECK(allclose(part, slice(whole, 1, begin, end), 1e-13, 1e-13));
      CHECK(cache.position() == end);
    }
  }
}

TEST_CASE("delta attention: a cache is chosen from by sequence, and copies go on alone") {
  DeltaAttention heads = attention();
  const Variable x = noise({2, 4, 8}), more = noise({2, 1, 8}, 2);
  Cache cache;
  run(heads, x, Mask::causal(), {.cache = &cache});
  Cache copy = cache;
  copy.select(tokens({1, 1}));
  const Tensor chosen = run(heads, more, Mask::causal(), {.cache = &copy});
  const Tensor expected = run(heads, cat({cat({slice(x, 0, 1), slice(x, 0, 1)}, 0), more}, 1));
  CHECK(allclose(chosen, slice(expected, 1, 4), 1e-14, 1e-14));
  CHECK(cache.length() == 4);
  CHECK(copy.length() == 5);
}

TEST_CASE("delta attention: a head that is switched off contributes nothing") {
  DeltaAttention heads = attention();
  const Variable x = noise({2, 4, 8});
  const Variable mask = parameter(f64({1, 0}));
  const Variable output = heads(x, x, x, Mask::causal(), {.head_mask = mask}).output;
  CHECK(grad({sum(output)}, {mask})[0].value().at({1}) != 0);
  assign(heads.w_o.weight, where(less(arange(10, DType::f64), 5.0), heads.w_o.weight.value(), zeros({}, DType::f64)));
  CHECK(identical(output.value(), run(heads, x)));
}

TEST_CASE("delta attention: says which masks it cannot keep") {
  DeltaAttention heads = attention();
  const Variable x = noise({1, 4, 8});
  for (const Mask& mask : {Mask(), Mask::causal() & sliding_window(2), Mask::causal() & Mask::others(),
                           Mask::causal() & Mask::bias(Variable(zeros({4, 4}, DType::f64)))})
    CHECK_THROWS_WITH(run(heads, x, mask),
                      ContainsSubstring("a token can only see those before it and itself, as with Mask::causal()"));
  Cache cache;  // a call that is refused leaves it as it was
  CHECK_THROWS_AS(heads(x, x, x, {}, {.cache = &cache}), ValueError);
  CHECK(identical(heads(x, x, x, Mask::causal(), {.cache = &cache}).output.value(), run(heads, x, Mask::causal())));
  CHECK_THROWS_WITH(heads(x, noise({1, 5, 8}), x, Mask::causal()),
                    "DeltaAttention: q (1, 4, 8), k (1, 5, 8), v (1, 4, 8): they must be of the same tokens");
}

TEST_CASE("delta attention: linear attention and retention, causal, are the linear and the gated rule") {
  const Variable q = noise({2, 70, 4}), k = noise({2, 70, 4}, 2), v = noise({2, 70, 3}, 3);
  const Variable retained = Attention(Retention{0.9})(q, k, v, Mask::causal()).output;
  const Variable log_decay = full({2, 70}, std::log(0.9), DType::f64);
  CHECK(allclose(delta_rule(q, k, v, {.log_decay = log_decay}).output.value(), retained.value(), 1e-12, 1e-12));

  // What is shared out is divided by the sum of the weights: a value that is 1 for every key gives it.
  const Variable with_ones = cat({v, Variable(ones({2, 70, 1}, DType::f64))}, -1);
  const Variable both = delta_rule(LinearAttention::features(q), LinearAttention::features(k), with_ones).output;
  const Variable expected = Attention(LinearAttention{})(q, k, v, Mask::causal()).output;
  CHECK(allclose((slice(both, -1, 0, 3) / slice(both, -1, 3)).value(), expected.value(), 1e-12, 1e-12));
}

TEST_CASE("delta attention: three layers of four are a model like any other, in decoding and in beam search") {
  DecoderModel model = hybrid();
  const Tensor ids = tokens({{3, 1, 4, 1, 5}, {9, 2, 6, 5, 3}});
  const Tensor full = model(ids).value();
  StackCache cache;
  for (std::int64_t i = 0; i < 5; ++i)
    CHECK(allclose(model(slice(ids, 1, i, i + 1), {.cache = &cache}).value(), slice(full, 1, i, i + 1), 1e-12, 1e-12));
  CHECK(cache.layers[0].self.as<DeltaMemory>().state.shape() == Shape{2, 2, 4, 4});
  const Tensor padded = model(tokens({{0, 0, 3, 1, 4}}), {.begins = tokens({2})}).value();
  CHECK(allclose(slice(padded, 1, 2), slice(slice(full, 0, 0, 1), 1, 0, 3), 1e-12, 1e-12));
}

TEST_CASE("delta attention: what beam search says of its texts is what the whole pass says") {
  DecoderModel model = hybrid();
  const Tokens prompt{3, 1, 4};
  for (const Hypothesis& found : beam_search(writer(model), prompt, {.width = 3, .tokens = 4})) {
    Tokens all = prompt;
    all.insert(all.end(), found.tokens.begin(), found.tokens.end());
    const Tensor log_shares = log_softmax(model(unsqueeze(token_tensor(all), 0)).value(), -1);
    double sum = 0;
    for (std::size_t i = prompt.size(); i < all.size(); ++i)
      sum += log_shares.at({0, static_cast<std::int64_t>(i) - 1, all[i]});
    CHECK(found.log_probability == Approx(sum).epsilon(1e-12));
  }
}

// A text in which each letter is followed by the one that followed it before: 3 1 4 3 1 4 …, other letters in each.
TEST_CASE("delta attention: three layers of four learn, and every parameter does") {
  DecoderModel model = hybrid();
  optim::Adam adam(model, {.learning_rate = 0.01});
  const auto loss = [&](std::uint64_t seed) {
    Generator letters(seed);
    const Tensor part = randint({16, 3}, letters, 0, 11), text = cat({part, part, part}, 1);
    const Variable logits = model(slice(text, 1, 0, 8));
    return cross_entropy_loss(flatten(slice(logits, 1, 3), 0, 1), flatten(slice(text, 1, 4)));
  };
  const double before = loss(0).item();
  for (std::uint64_t step = 1; step <= 120; ++step) {
    for (Variable& one : parameters(model)) one.clear_gradient();
    loss(step).backward();
    if (step == 1)
      for (const auto& [name, x] : named_parameters(model)) {
        INFO(name);
        REQUIRE(x.gradient().defined());
        CHECK(max(abs(x.gradient())).item() > 0);
      }
    adam.step();
  }
  CHECK(before > 2.2);  // log 11 = 2.4
  CHECK(loss(0).item() < before / 2);
}

}  // namespace regard::nn

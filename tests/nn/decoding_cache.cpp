// Decoding with a cache computes what the full pass computes, for every prefix: to the last bit where attention is
// fused, and as close as rounding allows where it is composed, since a longer row is summed up in another order there.
#include "examples/published/published.h"
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {
namespace {

Tensor random_tokens(const Shape& shape, std::int64_t vocabulary, std::uint64_t seed = 1) {
  Generator g(seed);
  return randint(shape, g, 0, vocabulary);
}

bool agree(const Tensor& a, const Tensor& b, Method method) {
  return method == Method::fused ? identical(a, b) : allclose(a, b, 1e-5, 1e-5);
}

// In pieces of these lengths the model gives the rows of the full pass.
template <class Model>
void check_pieces(Model& model, Method method, const Tensor& tokens, const std::vector<std::int64_t>& lengths,
                  const DecoderCall& of_all = {}) {
  const Tensor full = model(tokens, of_all).value();
  StackCache cache;
  DecoderCall call = of_all;
  call.cache = &cache;
  std::int64_t begin = 0;
  for (const std::int64_t length : lengths) {
    const std::int64_t end = begin + length;
    const Tensor made = model(slice(tokens, 1, begin, end), call).value();
    INFO("positions " << begin << " to " << end);
    CHECK(agree(made, slice(full, 1, begin, end), method));
    CHECK(cache.position() == end);
    begin = end;
  }
  REQUIRE(begin == tokens.size(1));
}

template <class Model>
void check_all_ways(Model& model, Method method, std::int64_t length) {
  const NoGrad no_grad;
  const Tensor tokens = random_tokens({3, length}, model.vocabulary());
  check_pieces(model, method, tokens, std::vector<std::int64_t>(static_cast<std::size_t>(length), 1));
  check_pieces(model, method, tokens, {7, 1, 2, length - 11, 1});
  const Mask right = Mask::valid_lengths({4, length, 9});
  check_pieces(model, method, tokens, {5, 1, 1, length - 7}, {.mask = right});
  check_pieces(model, method, tokens, {5, 1, 1, length - 7}, {.begins = tensor({3, 0, 6}, DType::i64)});
}

LayerOptions layer(Method method) {
  return {.model = 24, .heads = 4, .hidden = 40, .placement = NormPlacement::pre, .method = method};
}

}  // namespace

TEST_CASE("cached is full: GPT and Llama") {
  for (const Method method : {Method::composed, Method::fused}) {
    INFO((method == Method::fused ? "fused" : "composed"));
    Generator g(1);
    Gpt gpt = make_gpt({.model = 24, .layers = 2, .heads = 4, .vocabulary = 11, .longest = 80, .method = method}, g);
    check_all_ways(gpt, method, 70);
    for (const RotaryLayout layout : {RotaryLayout::interleaved, RotaryLayout::halves}) {
      Llama llama = make_llama({.model = 24,
                                .hidden = 40,
                                .layers = 2,
                                .heads = 6,
                                .key_value_heads = 2,
                                .vocabulary = 11,
                                .longest = 0,
                                .layout = layout,
                                .method = method},
                               g);
      check_all_ways(llama, method, 70);
    }
  }
}

TEST_CASE("cached is full: ALiBi, biases by distance, two softmaxes, sinusoidal positions") {
  for (const Method method : {Method::composed, Method::fused}) {
    INFO((method == Method::fused ? "fused" : "composed"));
    Generator g(2);
    const DecoderModelOptions options{.vocabulary = 11, .layers = 2, .layer = layer(method)};
    DecoderModel alibi(Alibi(ScaledDotProduct{}, 4), options, g);
    check_all_ways(alibi, method, 40);
    const T5Options t5{.heads = 4, .direction = T5Options::Direction::causal, .buckets = 8, .max_distance = 20};
    DecoderModel biased(T5RelativeBias(ScaledDotProduct{}, t5, g), options, g);
    check_all_ways(biased, method, 40);
    DecoderModelOptions sinusoidal = options;
    sinusoidal.positions = PositionKind::sinusoidal;
    sinusoidal.scaled = true;
    DecoderModel differential(DifferentialAttention(ScaledDotProduct{}), sinusoidal, g);
    check_all_ways(differential, method, 40);
  }
}

TEST_CASE("cached is full: beside a memory, whose keys are projected once") {
  for (const Method method : {Method::composed, Method::fused}) {
    const NoGrad no_grad;
    Generator g(3);
    Transformer model(ScaledDotProduct{},
                      {.source_vocabulary = 9,
                       .target_vocabulary = 11,
                       .encoder_layers = 2,
                       .decoder_layers = 2,
                       .layer = layer(method)},
                      g);
    const Encoded source = model.encode(random_tokens({2, 13}, 9), Mask::valid_lengths({13, 5}));
    const Tensor target = random_tokens({2, 30}, 11), full = model.decode(target, source).value();
    StackCache cache;
    for (std::int64_t i = 0; i < 30; ++i) {
      const Tensor now = model.decode(slice(target, 1, i, i + 1), source, {.cache = &cache}).value();
      CHECK(agree(now, slice(full, 1, i, i + 1), method));
    }
    CHECK(cache.layers[0].cross.length() == 13);
  }
}

// The keys and values are where the first step put them; steps are written behind each other, not copied.
TEST_CASE("a cache has room: steps are written behind those before them") {
  const NoGrad no_grad;
  KeyValueCache cache;
  const auto step = [&](KeyValueCache& into, double value) {
    into.append(full({1, 2, 1, 3}, value), full({1, 2, 1, 3}, -value));
  };
  step(cache, 0);
  int moves = 0;
  for (int i = 1; i < 1000; ++i) {
    const Tensor before = cache.keys.value();
    step(cache, i);
    moves += before.shares_buffer_with(cache.keys.value()) ? 0 : 1;
  }
  CHECK(moves <= 8);
  CHECK(identical(select(select(cache.keys.value(), 1, 1), -1, 2), unsqueeze(arange(1000, DType::f32), 0)));

  KeyValueCache copy = cache;  // goes on by itself
  const Tensor before = cache.keys.value();
  step(cache, 7), step(copy, 8);
  CHECK(cache.keys.value().at({0, 0, 1000, 0}) == 7);
  CHECK(copy.keys.value().at({0, 0, 1000, 0}) == 8);
  CHECK(identical(slice(cache.keys.value(), 2, 0, 1000), before));
  CHECK(identical(slice(copy.keys.value(), 2, 0, 1000), before));
}

// Of scores that place keys one inside the other, all have placed the keys that are kept: none does so again.
TEST_CASE("a cache keeps keys that are placed: normalised, then turned") {
  Generator g(5);
  const NoGrad no_grad;
  const RMSNorm norm({.size = 4});
  MultiHeadAttention heads(QKNorm(Rotary(ScaledDotProduct{}, RotaryLayout::halves), {.size = 4}),
                           {.model = 8, .heads = 2}, g);
  const Variable x = normal({1, 6, 8}, g);
  Cache cache;
  for (std::int64_t i = 0; i < 6; i += 2) {
    const Variable now = slice(x, 1, i, i + 2);
    heads(now, now, now, Mask::causal(), {.cache = &cache});
  }
  const Variable expected = rotate(norm(split_heads(heads.w_k(x), 2)), 0, RotaryLayout::halves);
  CHECK(allclose(cache.as<KeyValueCache>().keys.value(), expected.value(), 1e-6, 1e-6));
}

TEST_CASE("a cache under a graph passes gradients on to earlier steps") {
  Generator g(4);
  MultiHeadAttention heads(ScaledDotProduct{}, {.model = 4, .heads = 2, .dtype = DType::f64}, g);
  const Variable x = parameter(noise({1, 3, 4}));
  const Tensor whole = grad({sum(square(heads(x, x, x, Mask::causal()).output))}, {x})[0].value();
  Cache cache;
  Variable total;
  for (std::int64_t i = 0; i < 3; ++i) {
    const Variable now = slice(x, 1, i, i + 1);
    const Variable one = sum(square(heads(now, now, now, Mask::causal(), {.cache = &cache}).output));
    total = total.defined() ? total + one : one;
  }
  CHECK(allclose(grad({total}, {x})[0].value(), whole, 1e-12, 1e-12));
}

}  // namespace regard::nn

// Texts of different lengths in one batch, padded on the left: each gives the numbers that it gives alone. To the last
// bit if attention is fused; composed, a longer row of weights is summed up in another order.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {
namespace {

constexpr std::int64_t longest = 70, vocabulary = 11;
const std::vector<std::int64_t> begin_of{3, 0, 65};
const Tensor begins = tensor({3, 0, 65}, DType::i64), text_lengths = tensor({67, 70, 5}, DType::i64);

Tensor tokens(std::uint64_t seed) {
  Generator g(seed);
  return randint({3, longest}, g, 0, vocabulary);
}

LayerOptions layer() {
  return {.model = 24, .heads = 4, .hidden = 40, .placement = NormPlacement::pre, .method = Method::fused};
}

// The sequence b of x (B, L, …) without its padding, (1, real, …).
template <class X>
X alone(const X& x, std::int64_t b) {
  return slice(slice(x, 0, b, b + 1), 1, begin_of[static_cast<std::size_t>(b)]);
}

void check_decoder(const char* name, const AttentionMaker& attention, PositionKind positions = PositionKind::none) {
  INFO(name);
  const NoGrad no_grad;
  Generator g(1);
  DecoderModel model(
      attention, {.vocabulary = vocabulary, .layers = 2, .layer = layer(), .positions = positions, .longest = 80}, g);
  const Tensor text = tokens(2), together = model(text, {.begins = begins}).value();
  for (std::int64_t b = 0; b < 3; ++b) CHECK(identical(alone(together, b), model(alone(text, b)).value()));
  set_method(model, Method::composed);
  const Tensor composed = model(text, {.begins = begins}).value();
  for (std::int64_t b = 0; b < 3; ++b) CHECK(allclose(alone(composed, b), model(alone(text, b)).value(), 1e-5, 1e-5));

  set_method(model, Method::fused);  // and in steps, with a cache
  StackCache cache;
  const DecoderCall call{.cache = &cache, .begins = begins};
  const Tensor first = model(slice(text, 1, 0, 20), call).value();
  CHECK(identical(cat({first, model(slice(text, 1, 20), call).value()}, 1), together));
}

template <class Model>
void check_writer(const Model& model) {
  const Tensor text = tokens(5);
  const GenerateOptions options{.tokens = 6};
  const auto written = generate(writer(model, text, text_lengths, PaddingSide::left), {{0}, {1}, {2}}, options);
  for (std::int64_t b = 0; b < 3; ++b)
    CHECK(generate(writer(model, alone(text, b)), {{b}}, options)[0] == written[static_cast<std::size_t>(b)]);
}

}  // namespace

TEST_CASE("left padding: a decoder gives the bits of each text alone, whatever says where words stand") {
  check_decoder("learned", ScaledDotProduct{}, PositionKind::learned);
  check_decoder("sinusoidal", ScaledDotProduct{}, PositionKind::sinusoidal);
  check_decoder("rotary", Rotary(ScaledDotProduct{}, RotaryLayout::halves));
  check_decoder("ALiBi", Alibi(ScaledDotProduct{}, 4));
  Generator g(3);
  const T5Options t5{.heads = 4, .direction = T5Options::Direction::causal, .buckets = 8, .max_distance = 20};
  check_decoder("T5", T5RelativeBias(ScaledDotProduct{}, t5, g));
  check_decoder("differential", DifferentialAttention(ScaledDotProduct{}));
}

TEST_CASE("left padding: encoder and decoder, either side of which is padded") {
  const NoGrad no_grad;
  for (const bool turned : {false, true}) {
    Generator g(4);
    const AttentionMaker attention =
        turned ? AttentionMaker(Rotary(ScaledDotProduct{}, RotaryLayout::halves)) : AttentionMaker(ScaledDotProduct{});
    Transformer model(attention,
                      {.source_vocabulary = vocabulary,
                       .target_vocabulary = vocabulary,
                       .encoder_layers = 2,
                       .decoder_layers = 2,
                       .layer = layer(),
                       .positions = turned ? PositionKind::none : PositionKind::sinusoidal},
                      g);
    const Tensor source = tokens(5), target = tokens(6);
    const Encoded read = model.encode(source, {}, {.begins = begins});
    const Tensor together = model.decode(target, read, {.begins = begins}).value();
    for (std::int64_t b = 0; b < 3; ++b) {
      const Encoded one = model.encode(alone(source, b));
      CHECK(identical(alone(read.memory, b).value(), one.memory.value()));
      CHECK(identical(alone(together, b), model.decode(alone(target, b), one).value()));
    }
    check_writer(model);
  }
}

TEST_CASE("left padding: a recurrent translator writes what it writes about each source alone") {
  Generator g(7);
  const DecoderOptions decoder{.in = 8, .hidden = 12, .memory = 24, .layers = 2};
  const Seq2SeqOptions sizes{.source_count = vocabulary, .target_count = vocabulary, .embedding = 8, .hidden = 12};
  const AdditiveScore score({.query_size = 12, .key_size = 24, .hidden = 6}, g);
  check_writer(Seq2Seq(AttentionDecoder(score, ResetGate::after_product, decoder, g), sizes, g));
  check_writer(Seq2Seq(SummaryDecoder(ResetGate::after_product, decoder, g), sizes, g));
}

TEST_CASE("left padding: NaN in it reaches neither an output nor a gradient") {
  Generator g(8);
  EncoderStack encoder(Rotary(ScaledDotProduct{}, RotaryLayout::halves), {.layers = 2, .layer = layer()}, g);
  const Tensor x = noise({2, 9, 24}, 9, DType::f32), real_part = slice(x, 1, 4);
  const Tensor poisoned = cat({stack({slice(select(x, 0, 0), 0, 0, 4), full({4, 24}, nan)}, 0), real_part}, 1);
  const auto run = [&](const Tensor& in) {
    const Variable given = parameter(in);
    const Variable y = encoder(given, {}, {.begins = tensor({0, 4}, DType::i64)}).output;
    const Variable real = slice(select(y, 0, 1), 0, 4);
    return std::pair{real.value(), grad({sum(square(real))}, {given})[0].value()};
  };
  const auto clean = run(x), dirty = run(poisoned);
  CHECK(identical(clean.first, dirty.first));
  CHECK(identical(select(clean.second, 0, 1), select(dirty.second, 0, 1)));
}

TEST_CASE("left padding: begins that do not fit are refused") {
  Generator g(1);
  MultiHeadAttention heads(ScaledDotProduct{}, {.model = 4, .heads = 2}, g);
  const Variable x = zeros({2, 3, 4});
  CHECK_THROWS_WITH(heads(x, x, x, {}, {.begins = tensor({1}, DType::i64)}),
                    "MultiHeadAttention: begins (1) for 2 sequences: it must be (B)");
}

}  // namespace regard::nn

#include "tests/nn/recording.h"

#include "autograd/all.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/variants/variants.h"

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("recording: weights of each layer and head are those that the model returns, and names are places in it") {
  Generator g(1);
  EncoderStack stack(
      ScaledDotProduct{},
      {.layers = 2,
       .layer = {.model = 8, .heads = 2, .hidden = 16, .placement = NormPlacement::pre, .dtype = DType::f64}},
      g);
  const Variable x = noise({3, 5, 8}, 1);
  const Mask mask = Mask::valid_lengths({5, 3, 4});
  const StackOutput expected = stack(x, mask, {.weights = true});
  Recording recording;
  Tensor output;
  {
    const Recorder recorder(recording, stack, {.step = "epoch 10", .sequence = 1});
    output = stack(x, mask).output.value();
  }
  CHECK(identical(output, expected.output.value()));
  REQUIRE(recording.size() == 2);
  CHECK(recording.names() == std::vector<std::string>{"layers.0.attention", "layers.1.attention"});
  CHECK(recording.steps() == std::vector<std::string>{"epoch 10"});
  for (std::size_t layer = 0; layer < 2; ++layer)
    CHECK(identical(recording[layer].weights, select(expected.weights[layer].self.value(), 0, 1)));
  stack(x, mask);  // nobody watches any more
  CHECK(recording.size() == 2);
}

TEST_CASE("recording: an attention is named after the module that holds it, not after its first member") {
  Generator g(1);
  struct Reader {
    Attention look;
    void visit(Visitor& v) { v("look", look); }
  };
  const AdditiveScore score({.query_size = 4, .key_size = 4, .hidden = 3, .dtype = DType::f64}, g);
  Reader reader{Attention(score)};
  Attention unlisted(score), other(score), third(score);
  const Variable x = noise({3, 4}, 1);
  Recording recording;
  {
    const Recorder recorder(recording, reader);
    reader.look(x, x, x), unlisted(x, x, x), other(x, x, x), third(x, x, x);
  }
  CHECK(recording.names() == std::vector<std::string>{"look", "attention 1", "attention 2", "attention 3"});
  CHECK(recording.steps().size() == 1);
  {
    const Recorder recorder(recording, unlisted, {.step = "alone"});
    unlisted(x, x, x);
  }
  CHECK(recording[4].name == "attention");
}

TEST_CASE("recording: a further call in a step is named as the options say") {
  Attention attention(ScaledDotProduct{});
  const Variable x = noise({3, 4}, 1);
  Recording recording;
  {
    const Recorder recorder(recording, attention, {.step = "epoch 15", .call = "look"});
    for (int look = 0; look < 2; ++look) attention(x, x, x);
  }
  CHECK(recording.steps() == std::vector<std::string>{"epoch 15", "epoch 15, look 2"});
}

TEST_CASE("recording: every kind of attention there is, composed and fused") {
  for (const kit::Variant& variant : kit::variants()) {
    INFO(variant.name);
    Generator g(1);
    const kit::Subject subject = variant.build(0, g);
    const kit::Sizes& s = variant.sizes;
    const auto features = [&](std::int64_t length, std::int64_t size, std::uint64_t seed) {
      const Shape shape = s.heads > 0 ? Shape{s.batch, s.heads, length, size} : Shape{s.batch, length, size};
      return Variable(noise(shape, seed, DType::f32));
    };
    const Variable q = features(s.queries, s.query_size, 1), k = features(s.keys, s.key_size, 2),
                   v = features(s.keys, s.value_size, 3);
    Recording recording;
    Tensor weights;
    {
      const Recorder recorder(recording, {.sequence = 1});
      weights = select(subject.call(q, k, v, {}).weights.value(), 0, 1);
      if (set_method(subject.visit, Method::fused) > 0) subject.call(q, k, v, {});
    }
    if (weights.rank() == 2) weights = unsqueeze(weights, 0);
    REQUIRE(recording.size() == (subject.can_be_fused ? 2 : 1));
    CHECK(identical(recording[0].weights, weights));
    if (subject.can_be_fused) CHECK(allclose(recording[1].weights, weights, 1e-5, 1e-6));
  }
}

TEST_CASE("recording: a step of decoding is a step, and its query stands where it is") {
  Generator g(1);
  MultiHeadAttention heads(ScaledDotProduct{}, heads_of(Method::composed), g);
  const Variable x = noise({1, 3, 8}, 1);
  const Tensor whole = heads(x, x, x, Mask::causal()).weights.value();
  Cache cache;
  Recording recording;
  {
    const Recorder recorder(recording, heads);
    for (std::int64_t i = 0; i < 3; ++i) {
      const Variable now = slice(x, 1, i, i + 1);
      heads(now, now, now, Mask::causal(), {.cache = &cache});
    }
  }
  CHECK(recording.steps() == std::vector<std::string>{"step 1", "step 2", "step 3"});
  for (std::int64_t i = 0; i < 3; ++i) {
    const RecordedAttention& one = recording[static_cast<std::size_t>(i)];
    CHECK(one.offset == i);
    CHECK(one.key_count() == i + 1);
    CHECK(allclose(one.weights, slice(slice(select(whole, 0, 0), 1, i, i + 1), 2, 0, i + 1), 1e-13, 1e-14));
  }
}

TEST_CASE("recording: cross-attention has keys of its own, and grouped heads each their keys") {
  Generator g(1);
  Transformer model(
      ScaledDotProduct{},
      {.source_vocabulary = 5,
       .target_vocabulary = 5,
       .encoder_layers = 1,
       .decoder_layers = 1,
       .layer = {.model = 8, .heads = 2, .hidden = 8, .placement = NormPlacement::pre, .key_value_heads = 1}},
      g);
  const Tensor source = to(tensor({{1, 2, 3}}), DType::i64), target = to(tensor({{0, 1}}), DType::i64);
  Recording recording;
  {
    const Recorder recorder(recording, model, {.queries = "target", .memory = "source"});
    model.decode(target, model.encode(source));
  }
  REQUIRE(recording.names() == std::vector<std::string>{"encoder.layers.0.attention", "decoder.layers.0.attention",
                                                        "decoder.layers.0.cross"});
  CHECK(recording[0].queries == "source");
  CHECK(recording[0].keys == "source");
  CHECK(recording[1].keys == "target");
  CHECK(recording[2].queries == "target");
  CHECK(recording[2].keys == "source");
  CHECK(recording[2].weights.shape() == Shape{2, 2, 3});
  CHECK(recording[2].formula.k.shape() == Shape{2, 3, 4});
  CHECK(identical(select(recording[2].formula.k, 0, 0), select(recording[2].formula.k, 0, 1)));
}

TEST_CASE("recording: an encoder reads the memory, wherever in the model it stands") {
  Generator g(1);
  struct Whole {
    Transformer inner;
    void visit(Visitor& v) { v("inner", inner); }
  };
  struct Bare {
    Attention encoder, encoders;
    void visit(Visitor& v) { v("encoder", encoder), v("encoders", encoders); }
  };
  Whole whole{{ScaledDotProduct{},
               {.source_vocabulary = 5,
                .target_vocabulary = 5,
                .encoder_layers = 1,
                .decoder_layers = 1,
                .layer = {.model = 8, .heads = 2, .hidden = 8, .placement = NormPlacement::pre}},
               g}};
  Bare bare{Attention(ScaledDotProduct{}), Attention(ScaledDotProduct{})};
  const Variable x = noise({3, 4}, 1);
  Recording recording;
  const RecorderOptions options{.queries = "target", .memory = "source"};
  {
    const Recorder recorder(recording, whole, options);
    whole.inner.encode(to(tensor({{1, 2, 3}}), DType::i64));
  }
  {
    const Recorder recorder(recording, bare, options);
    bare.encoder(x, x, x), bare.encoders(x, x, x);
  }
  REQUIRE(recording.names() == std::vector<std::string>{"inner.encoder.layers.0.attention", "encoder", "encoders"});
  for (const std::size_t i : {0, 1}) CHECK(recording[i].queries + " " + recording[i].keys == "source source");
  CHECK(recording[2].queries + " " + recording[2].keys == "target target");
}

TEST_CASE("recording: a recurrent decoder is recorded too") {
  Generator g(1);
  AttentionDecoder decoder(AdditiveScore({.query_size = 6, .key_size = 4, .hidden = 5}, g), ResetGate::after_product,
                           {.in = 3, .hidden = 6, .memory = 4}, g);
  const Variable states = noise({2, 4, 4}, 1, DType::f32), x = noise({2, 3, 3}, 2, DType::f32);
  const auto memory = decoder.remember({.states = states, .mask = Mask::valid_lengths({4, 2})});
  Recording recording;
  Tensor weights;
  {
    const Recorder recorder(recording, decoder, {.queries = "sounds", .memory = "letters"});
    weights = decoder(x, noise({2, 6}, 3, DType::f32), memory).weights.value();
  }
  const RecordedAttention& one = recording[0];
  CHECK(one.keys == "letters");
  CHECK(identical(one.weights, slice(weights, 0, 0, 1)));
  for (std::int64_t i = 0; i < 3; ++i) {
    double total = 0;
    for (std::int64_t j = 0; j < 4; ++j) total += std::exp(by_hand(one.formula, 0, i, j));
    for (std::int64_t j = 0; j < 4; ++j)
      CHECK(std::exp(by_hand(one.formula, 0, i, j)) / total == Approx(weights.at({0, i, j})).epsilon(1e-5));
  }
}

TEST_CASE("recording: of a recurrent decoder no gradient is recorded, also where the loss asks for its weights") {
  Generator g(1);
  const auto check = [&](const auto& score) {
    AttentionDecoder decoder(score, ResetGate::after_product, {.in = 3, .hidden = 6, .memory = 4}, g);
    const Variable states = parameter(noise({2, 4, 4}, 1, DType::f32)), x = noise({2, 3, 3}, 2, DType::f32),
                   h = noise({2, 6}, 3, DType::f32);
    Recording recording;
    {
      const Recorder recorder(recording, decoder);
      const auto made = decoder(x, h, decoder.remember({.states = states}));
      (sum(square(made.states)) + sum(square(made.weights))).backward();
    }
    REQUIRE(recording.size() == 1);
    CHECK(!recording[0].gradient.defined());
  };
  check(AdditiveScore({.query_size = 6, .key_size = 4, .hidden = 5}, g));
  check(BilinearScore({.query_size = 6, .key_size = 4}, g));
}

TEST_CASE("recording: what does not fit is refused") {
  Recording recording;
  CHECK_THROWS_WITH(recording.add({.name = "mine"}), "Recording: 'mine' has no weights");
  CHECK_THROWS_WITH(recording.add({.name = "mine", .weights = ones({2, 2, 3, 4})}), ContainsSubstring("(2, 2, 3, 4)"));
  CHECK_THROWS_WITH(recording.add({.name = "mine", .weights = ones({2, 2}), .gradient = ones({2, 3})}),
                    ContainsSubstring("(1, 2, 3) of 'mine', beside weights (1, 2, 2)"));
  CHECK_THROWS_WITH(recording.add({.name = "mine", .weights = ones({2, 2}), .formula = {ScoreFormula::Kind::dot}}),
                    ContainsSubstring("no q and k that fit weights (1, 2, 2)"));
  Attention attention(ScaledDotProduct{});
  const Variable x = noise({2, 3, 4}, 1);
  const Recorder recorder(recording, {.sequence = 2});
  CHECK_THROWS_WITH(attention(x, x, x), "Recorder: sequence 2 of a batch of 2");
}

}  // namespace regard::nn

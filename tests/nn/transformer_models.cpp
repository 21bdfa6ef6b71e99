// Models of transformers: their tables of tokens, their four kinds of positions, and where they drop out.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::int64_t model_width = 8, V = 6;

LayerOptions layer(double dropout = 0) {
  return {.model = model_width,
          .heads = 2,
          .hidden = 12,
          .placement = NormPlacement::pre,
          .dropout = dropout,
          .attention_dropout = dropout,
          .dtype = DType::f64,
          .method = Method::fused};
}

TransformerOptions translation() {
  return {.source_vocabulary = V, .target_vocabulary = V, .encoder_layers = 1, .decoder_layers = 2, .layer = layer()};
}

Tensor tokens(const Nested& numbers) { return tensor(numbers, DType::i64); }

bool has_parameter(const auto& model, const std::string& name) {
  auto copy = model;
  const auto named = named_parameters(copy);
  return std::ranges::any_of(named, [&](const auto& one) { return one.name == name; });
}

// Every kind of positions there is, as a model that is only like the others in its shape.
template <class Check>
void with_each_kind_of_positions(const Check& check) {
  Generator g(1);
  DecoderModelOptions options{.vocabulary = V, .layers = 2, .layer = layer()};
  const auto model = [&](const char* name, const auto& score, PositionKind kind, std::int64_t longest = 0) {
    INFO(name);
    options.positions = kind;
    options.longest = longest;
    check(DecoderModel(score, options, g));
  };
  model("learned", ScaledDotProduct{}, PositionKind::learned, 9);
  model("sinusoidal", ScaledDotProduct{}, PositionKind::sinusoidal);
  model("rotary, halves", Rotary(ScaledDotProduct{}, RotaryLayout::halves), PositionKind::none);
  model("rotary, interleaved", Rotary(ScaledDotProduct{}, RotaryLayout::interleaved), PositionKind::none);
  model("ALiBi", Alibi(ScaledDotProduct{}, 2), PositionKind::none);
}

}  // namespace

TEST_CASE("models: source and target share their table, or have one each") {
  Generator g(1);
  TransformerOptions options = translation();
  options.tied = false;  // else every row of the target's table has a gradient
  Transformer apart(ScaledDotProduct{}, options, g);
  Transformer shared(ScaledDotProduct{}, options, g);
  shared.source.tokens = shared.target.tokens;
  CHECK_FALSE(apart.source.tokens.weight.same_as(apart.target.tokens.weight));
  CHECK(parameter_count(apart) == parameter_count(shared) + V * model_width);

  auto copy = clone(shared);
  CHECK(copy.source.tokens.weight.same_as(copy.target.tokens.weight));
  CHECK_FALSE(copy.source.tokens.weight.same_as(shared.source.tokens.weight));

  // Token 1 is read in the source only, and token 2 in the target only: both move the one table.
  sum(square(shared.decode(tokens({{2}}), shared.encode(tokens({{1}}))))).backward();
  const Tensor moved = sum(abs(shared.source.tokens.weight.gradient().value()), 1);
  CHECK(moved.at({1}) > 0);
  CHECK(moved.at({2}) > 0);
  CHECK(moved.at({3}) == 0);
}

TEST_CASE("models: rows of tokens are multiplied by √E, then positions are added") {
  Generator g(2);
  for (const bool scaled : {false, true}) {
    TokenEmbedding embedding({.vocabulary = V,
                              .size = model_width,
                              .positions = PositionKind::sinusoidal,
                              .scaled = scaled,
                              .dtype = DType::f64},
                             g);
    const Tensor ids = tokens({{3, 1, 3}});
    const Tensor rows = embedding.tokens(ids).value() * (scaled ? std::sqrt(static_cast<double>(model_width)) : 1);
    CHECK(allclose(embedding(ids, 4).value(), rows + sinusoidal_table(3, model_width, 4, DType::f64), 1e-15, 1e-15));
  }
}

TEST_CASE("models: the output matrix is the table of tokens, or one of its own") {
  Generator g(3);
  for (const bool tied : {true, false}) {
    DecoderModelOptions options{.vocabulary = V, .layers = 1, .layer = layer(), .tied = tied};
    DecoderModel model(Rotary(ScaledDotProduct{}, RotaryLayout::halves), options, g);
    const Tensor ids = tokens({{3, 1, 4}});
    const Variable x = model.decoder(model.embedding(ids), Mask::causal()).output;
    const Tensor matrix = (tied ? model.embedding.tokens.weight : model.output->weight).value();
    CHECK(allclose(model(ids).value(), matmul(x.value(), transpose(matrix)), 1e-13, 1e-13));
    CHECK(has_parameter(model, "output.weight") == !tied);
  }
}

// Without positions the last token sees those before it as a set: in another order they are the same.
TEST_CASE("models: each kind of positions tells the order, and without one there is none") {
  const Tensor forward = tokens({{1, 2, 3, 4}}), swapped = tokens({{2, 1, 3, 4}});
  with_each_kind_of_positions([&](auto model) {
    const auto of_the_last = [&](const Tensor& ids) { return model(ids, {.last = true}).value(); };
    CHECK(largest_difference(of_the_last(forward), of_the_last(swapped)) > 1e-6);
  });
  Generator g(4);
  DecoderModel none(ScaledDotProduct{}, {.vocabulary = V, .layers = 1, .layer = layer()}, g);
  CHECK(largest_difference(none(forward, {.last = true}).value(), none(swapped, {.last = true}).value()) < 1e-13);
}

TEST_CASE("models: a padded sequence is the sequence alone, on either side, in every kind of positions") {
  const Tensor alone = tokens({{3, 1, 4}}), right = tokens({{3, 1, 4, 0, 0}}), left = tokens({{0, 0, 3, 1, 4}});
  with_each_kind_of_positions([&](auto model) {
    const Tensor expected = model(alone).value();
    CHECK(identical(slice(model(right, {.mask = Mask::valid_lengths({3})}).value(), 1, 0, 3), expected));
    const Tensor padded = slice(model(left, {.begins = tokens({2})}).value(), 1, 2);
    CHECK(allclose(padded, expected, 1e-12, 1e-12));  // rotary positions and ALiBi count from another place
  });
}

TEST_CASE("models: no logit depends on a token that comes later") {
  with_each_kind_of_positions([&](auto model) {
    const Tensor before = model(tokens({{3, 1, 4, 1, 5}})).value(), after = model(tokens({{3, 1, 4, 2, 0}})).value();
    CHECK(identical(slice(before, 1, 0, 3), slice(after, 1, 0, 3)));
    CHECK_FALSE(allclose(slice(before, 1, 3), slice(after, 1, 3), 1e-6, 1e-6));
  });
  Generator g(5);
  Transformer model(ScaledDotProduct{}, translation(), g);
  const auto logits = [&](const Nested& source, const Nested& target) {
    return model.decode(tokens(target), model.encode(tokens(source))).value();
  };
  CHECK(identical(slice(logits({{1, 2}}, {{3, 4, 5}}), 1, 0, 2), slice(logits({{1, 2}}, {{3, 4, 0}}), 1, 0, 2)));
  CHECK_FALSE(allclose(logits({{1, 2}}, {{3, 4, 5}}), logits({{1, 3}}, {{3, 4, 5}}), 1e-6, 1e-6));
}

// Of the sum of rows and positions, of what each part adds, and of the weights: each place is switched on alone.
TEST_CASE("models: dropout is where the papers have it, and nowhere in eval") {
  Generator g(6);
  DecoderModel model(Rotary(ScaledDotProduct{}, RotaryLayout::halves),
                     {.vocabulary = V, .layers = 1, .layer = layer(0.5)}, g);
  auto& one = model.decoder.layers[0];
  Dropout* const places[] = {&model.embedding.dropout, &one.around_attention.dropout, &one.around_feed_forward.dropout,
                             &one.attention.as<MultiHeadAttention>().attention.dropout};
  const Tensor ids = tokens({{3, 1, 4, 1, 5}});
  eval(model);
  const Tensor whole = model(ids).value();
  CHECK(identical(model(ids).value(), whole));
  for (Dropout* place : places) {
    train(*place);
    CHECK_FALSE(identical(model(ids).value(), whole));
    eval(*place);
  }

  // A residual is never dropped: only what is added to it is, and the rest of that is twice as large.
  Residual around = make_residual(layer(0.5), g);
  const Variable x = noise({20, model_width});
  const Tensor added = (around(x, [](const Variable&in) { return in; }) - x).value(), all = around.norm(x).value();
  const Tensor is_dropped = equal(added, 0.0);
  CHECK(allclose(added, where(is_dropped, zeros({}, DType::f64), 2 * all), 1e-12, 1e-12));
  CHECK(mean(to(is_dropped, DType::f64)).item() == Approx(0.5).margin(0.2));
}

TEST_CASE("models: weights of every layer, own and cross, change no bit of the logits") {
  Generator g(7);
  Transformer model(ScaledDotProduct{}, translation(), g);
  const Tensor source = tokens({{1, 2, 3}}), target = tokens({{4, 5}});
  const Encoded read = model.encode(source, {}, {.weights = true}), plain = model.encode(source);
  CHECK(identical(read.memory.value(), plain.memory.value()));
  REQUIRE(read.weights.size() == 1);
  CHECK(plain.weights.empty());
  const ModelOutput looked = model.predict(target, read, {.weights = true}), blind = model.predict(target, read);
  CHECK(identical(looked.logits.value(), blind.logits.value()));
  REQUIRE(looked.weights.size() == 2);
  for (const LayerWeights& weights : looked.weights) {
    CHECK(weights.self.shape() == Shape{1, 2, 2, 2});
    CHECK(weights.cross.shape() == Shape{1, 2, 2, 3});
    CHECK(allclose(sum(weights.cross.value(), -1), ones({1, 2, 2}, DType::f64), 1e-12, 1e-12));
  }
}

TEST_CASE("models: a stack begins its cache by itself") {
  const NoGrad no_grad;
  Generator g(8);
  EncoderStack encoder(ScaledDotProduct{}, {.layers = 2, .layer = layer()}, g);
  DecoderStack decoder(ScaledDotProduct{}, {.layers = 2, .layer = layer()}, g);
  const Variable x = noise({1, 3, model_width});
  const auto check = [&](auto& stack) {
    StackCache cache;
    for (std::int64_t i = 0; i < 3; ++i) {
      const Variable now = stack(slice(x, 1, i, i + 1), Mask::causal(), {.cache = &cache}).output;
      CHECK(identical(now.value(), slice(stack(x, Mask::causal()).output.value(), 1, i, i + 1)));
    }
    CHECK(cache.position() == 3);
  };
  check(decoder);
  check(encoder);
}

// Each layer its own: a window, gates, no positions, heads of another size; and each its own cache.
TEST_CASE("models: attention, mask and memory by layer, and decoding is the full pass") {
  Generator g(8);
  const LayerOptions of_layer = layer(0);
  const MultiHeadOptions heads{.model = of_layer.model, .heads = 2, .dtype = DType::f64};
  const auto make = [&](std::int64_t number, Generator& generator) -> AnyAttention {
    MultiHeadOptions own = heads;
    const Rotary rotary(ScaledDotProduct{}, RotaryLayout::halves);
    if (number == 0) own.mask = sliding_window(2);
    if (number == 1) return GatedAttention(rotary, own, Gates::per_head, generator);
    if (number == 2) own.head_size = 6, own.head_value_size = 3;
    return number == 3 ? MultiHeadAttention(ScaledDotProduct{}, own, generator)
                       : MultiHeadAttention(rotary, own, generator);
  };
  DecoderModel model(make, {.vocabulary = V, .layers = 4, .layer = of_layer}, g);
  const Tensor ids = tokens({{3, 1, 4, 1, 5}});
  const Tensor full = model(ids).value();
  StackCache cache;
  for (std::int64_t i = 0; i < 5; ++i)
    CHECK(allclose(model(slice(ids, 1, i, i + 1), {.cache = &cache}).value(), slice(full, 1, i, i + 1), 1e-12, 1e-12));

  auto& first = model.decoder.layers[0].attention;
  const Variable x = noise({1, 5, of_layer.model}, 3);
  CHECK(max(abs(slice(tril(select(first(x, x, x, Mask::causal()).weights.value(), 1, 0), -2), -1, 0, 3))).item() == 0);
  CHECK(first.as<MultiHeadAttention>().heads == 2);
  CHECK_THROWS_WITH(first.as<GatedAttention>(), "AnyAttention: it holds an attention of another type");
  CHECK(parameter_count(model.decoder.layers[1]) == parameter_count(model.decoder.layers[3]) + 2 * of_layer.model + 2);
}

}  // namespace regard::nn

#include "nn/attention/recording.h"

#include "autograd/all.h"
#include "nn/all.h"
#include "nn/attention/recording.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/variants/variants.h"

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

MultiHeadOptions heads_of(Method method, double dropout = 0) {
  return {.model = 8, .heads = 2, .dropout = dropout, .dtype = DType::f64, .method = method};
}

std::vector<std::int64_t> first(std::int64_t count) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < count; ++i) all.push_back(i);
  return all;
}

// The formula of a recorded attention for one pair, in plain numbers.
double by_hand(const ScoreFormula& formula, std::int64_t head, std::int64_t i, std::int64_t j) {
  double sum = 0;
  for (std::int64_t c = 0; c < formula.q.size(2); ++c) {
    const double q = formula.q.at({head, i, c}), k = formula.k.at({head, j, c});
    if (formula.kind == ScoreFormula::Kind::dot) sum += formula.factor * q * k;
    if (formula.kind == ScoreFormula::Kind::additive) sum += formula.w.at({c}) * std::tanh(q + k);
    if (formula.kind == ScoreFormula::Kind::gaussian) {
      const double w = !formula.w.defined() ? 1 : formula.w.rank() == 0 ? formula.w.item() : formula.w.at({j});
      sum -= formula.factor * w * w * (q - k) * (q - k);
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("recording: weights of each layer and head are those that the model returns, and names are places in it") {
  Generator g(1);
  EncoderStack<ScaledDotProduct> stack(
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
    CHECK(identical(recording[layer].weights_of(first(5)), select(expected.weights[layer].self.value(), 0, 1)));
  stack(x, mask);  // nobody watches any more
  CHECK(recording.size() == 2);
}

TEST_CASE("recording: an attention is named after the module that holds it, not after its first member") {
  Generator g(1);
  struct Reader {
    Attention<AdditiveScore> look;
    void visit(Visitor& v) { v("look", look); }
  };
  const AdditiveScore score({.query_size = 4, .key_size = 4, .hidden = 3, .dtype = DType::f64}, g);
  Reader reader{Attention(score)};
  Attention unlisted(score), other(score);
  const Variable x = noise({3, 4}, 1);
  Recording recording;
  {
    const Recorder recorder(recording, reader);
    reader.look(x, x, x), unlisted(x, x, x), other(x, x, x);
  }
  CHECK(recording.names() == std::vector<std::string>{"look", "attention 1", "attention 2"});
  CHECK(recording.steps().size() == 1);
  {
    const Recorder recorder(recording, unlisted, {.step = "alone"});
    unlisted(x, x, x);
  }
  CHECK(recording[3].name == "attention");
}

TEST_CASE("recording: any row of fused attention is that of composed attention, with its score") {
  const auto check = [](const auto& score, const Mask& mask) {
    Generator a(1), b(1);
    MultiHeadAttention composed(score, heads_of(Method::composed), a), fused(score, heads_of(Method::fused), b);
    const Variable x = noise({2, 6, 8}, 3);
    Recording recording;
    const Recorder recorder(recording, {.sequence = 1});
    composed(x, x, x, mask), fused(x, x, x, mask);
    REQUIRE(recording.size() == 2);
    CHECK(!recording[1].weights.defined());
    for (const auto& some : {std::vector<std::int64_t>{4}, {0, 5}, {3, 1, 2}}) {
      CHECK(allclose(recording[1].weights_of(some), recording[0].weights_of(some), 1e-12, 1e-14));
      CHECK(allclose(recording[1].scores_of(some), recording[0].scores_of(some), 1e-12, 1e-12));
    }
  };
  check(ScaledDotProduct{}, Mask::causal() & Mask::valid_lengths({6, 5}));
  check(LearnedAlibi(ScaledDotProduct{}, 2, DType::f64), Mask::causal());
  check(Rotary(ScaledDotProduct{}, RotaryLayout::halves), Mask());
  check(GaussianKernel::learned(2, DType::f64), Mask::bias(noise({6, 6}, 9), MaskAxes::per_pair));
}

namespace {
// q·k and a number for each pair.
struct NumberedDot {
  PairNumber number;
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t) const {
    return {shipped_scores::with_numbers(shipped_scores::dot(1), number), q, k};
  }
};
}  // namespace

TEST_CASE("recording: fused attention without an axis of heads has one head, however large the batch") {
  const auto check = [](const PairNumber& number) {
    Attention fused(NumberedDot{number}, {.method = Method::fused}), composed(NumberedDot{number});
    const Variable q = noise({2, 4, 3}, 1), k = noise({2, 5, 3}, 2), v = noise({2, 5, 2}, 3);
    const Tensor expected = fused(q, k, v).output.value();
    Recording recording;
    const Recorder recorder(recording, {.sequence = 1});
    CHECK(identical(fused(q, k, v).output.value(), expected));
    const Tensor weights = slice(composed(q, k, v).weights.value(), 0, 1, 2);
    CHECK(allclose(recording[0].weights_of(first(4)), weights, 1e-12, 1e-14));
    CHECK(allclose(recording[0].scores_of(first(4)), recording[1].scores_of(first(4)), 1e-12, 1e-12));
  };
  check(per_head(parameter(f64({0.7}))));
  check(by_distance(parameter(noise({3, 1}, 4))));
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
      if (subject.fused) subject.fused(q, k, v, {});
    }
    if (weights.rank() == 2) weights = unsqueeze(weights, 0);
    REQUIRE(recording.size() == (subject.fused ? 2 : 1));
    CHECK(identical(recording[0].weights_of(first(s.queries)), weights));
    if (subject.fused) CHECK(allclose(recording[1].weights_of(first(s.queries)), weights, 1e-5, 1e-6));
  }
}

TEST_CASE("recording: what was recorded of fused attention stays, whatever its parameters learn afterwards") {
  Generator g(1);
  LearnedAlibi score(ScaledDotProduct{}, 2, DType::f64);
  MultiHeadAttention heads(score, heads_of(Method::fused), g);
  Variable bias = parameter(noise({5, 5}, 2));
  const Variable x = noise({1, 5, 8}, 3);
  Recording recording;
  {
    const Recorder recorder(recording);
    heads(x, x, x, Mask::bias(bias, MaskAxes::per_pair));
  }
  const Tensor weights = recording[0].weights_of(first(5)), scores = recording[0].scores_of(first(5));
  assign(score.slopes, full({2}, 3, DType::f64));
  assign(bias, zeros({5, 5}, DType::f64));
  assign(heads.projections.w_q.weight, zeros({8, 8}, DType::f64));
  CHECK(identical(recording[0].weights_of(first(5)), weights));
  CHECK(identical(recording[0].scores_of(first(5)), scores));
}

TEST_CASE("recording: of a batch one sequence is kept, and nothing of the others") {
  for (const Method method : {Method::composed, Method::fused}) {
    Attention attention(ScaledDotProduct{}, {.method = method});
    const Variable q = parameter(noise({3, 2, 4, 5}, 1)), k = parameter(noise({3, 1, 4, 5}, 2)),
                   v = parameter(noise({3, 2, 4, 6}, 3)), c = noise({3, 2, 4, 6}, 4);
    Recording recording;
    Tensor weights, slopes;  // of the whole batch
    {
      const Recorder recorder(recording, {.sequence = 1});
      const AttentionOutput made = attention(q, k, v, Mask::valid_lengths({4, 3, 2}));
      const Variable& observed = made.weights.defined() ? made.weights : made.output;
      observed.on_gradient([&](const Variable& slope) {
        slopes = slope.value();
        return Variable();
      });
      if (made.weights.defined()) weights = made.weights.value();
      sum(made.output * c).backward();
    }
    const RecordedAttention& one = recording[0];
    CHECK(!(weights.defined() && one.weights.shares_buffer_with(weights)));
    for (const Tensor* x : {&one.gradient, &one.output_gradient})
      CHECK(!(x->defined() && x->shares_buffer_with(slopes)));
    for (const Tensor* x : {&one.weights, &one.scores, &one.gradient, &one.formula.q, &one.formula.k, &one.values,
                            &one.output_gradient}) {
      if (!x->defined()) continue;
      INFO(to_string(x->shape()));
      CHECK(x->owns_buffer());
    }
    for (const Variable* x : {&q, &k, &v}) CHECK(x->value().owns_buffer());  // nothing that was recorded holds it
    // The last key is hidden.
    const Tensor seen = slice(one.formula.k, 1, 0, 3);
    CHECK(identical(select(seen, 0, 1), slice(select(select(k.value(), 0, 1), 0, 0), 0, 0, 3)));
    CHECK(select(one.formula.k, 0, 0).shares_buffer_with(select(one.formula.k, 0, 1)));
    CHECK(identical(one.formula.q, select(q.value(), 0, 1)));
  }
}

TEST_CASE("recording: the formula gives the score, and softmax of the score the weight") {
  Generator g(1);
  const auto check = [](auto score, ScoreFormula::Kind kind) {
    Attention attention(score);
    const Variable q = noise({3, 4}, 1), k = noise({5, 4}, 2), v = noise({5, 2}, 3);
    Recording recording;
    const Recorder recorder(recording);
    const Tensor weights = attention(q, k, v).weights.value();
    const RecordedAttention& one = recording[0];
    REQUIRE(one.formula.kind == kind);
    const Tensor scores = one.scores_of(first(3));
    for (std::int64_t i = 0; i < 3; ++i)
      for (std::int64_t j = 0; j < 5; ++j)
        CHECK(by_hand(one.formula, 0, i, j) == Approx(scores.at({0, i, j})).margin(1e-12));
    CHECK(allclose(softmax(scores, -1), unsqueeze(weights, 0), 1e-12, 1e-14));
  };
  using Kind = ScoreFormula::Kind;
  check(ScaledDotProduct{}, Kind::dot);
  check(BilinearScore({.query_size = 4, .key_size = 4, .dtype = DType::f64}, g), Kind::dot);
  check(CosineScore({.dtype = DType::f64}), Kind::dot);
  check(AdditiveScore({.query_size = 4, .key_size = 4, .hidden = 6, .bias = true, .dtype = DType::f64}, g),
        Kind::additive);
  check(GaussianKernel::fixed(0.7), Kind::gaussian);
  check(GaussianKernel::learned(0.7, DType::f64), Kind::gaussian);
  check(GaussianKernel{1, parameter(noise({5}, 8))}, Kind::gaussian);
  check(NegativeSquaredL2{0.3}, Kind::gaussian);
}

namespace {
struct OwnWeights {  // a formula, and weights that are no softmax of it
  Variable operator()(const Variable& q, const Variable& k) const { return matmul(q, transpose(k)); }
  ScoreFormula formula(const Variable& q, const Variable& k) const {
    return {.kind = ScoreFormula::Kind::dot, .q = q.value(), .k = k.value()};
  }
  Variable normalize(const Variable& scores, const Tensor& keep) const { return pairs::kept(sigmoid(scores), keep); }
};
}  // namespace

TEST_CASE("recording: where something is added to the score, or no softmax follows, there is no formula") {
  const auto kind = [](auto score, const Mask& mask) {
    Attention attention(score);
    const Variable x = noise({1, 2, 4, 4}, 1);
    Recording recording;
    const Recorder recorder(recording);
    attention(x, x, x, mask);
    return recording[0].formula.kind;
  };
  using Kind = ScoreFormula::Kind;
  CHECK(kind(Alibi(ScaledDotProduct{}, 2), {}) == Kind::other);
  CHECK(kind(SigmoidAttention(ScaledDotProduct{}), {}) == Kind::other);
  CHECK(kind(OwnWeights{}, {}) == Kind::other);
  CHECK(kind(ScaledDotProduct{}, Mask::bias(noise({4, 4}, 2), MaskAxes::per_pair)) == Kind::other);
  CHECK(kind(ScaledDotProduct{}, Mask::causal()) == Kind::dot);
}

TEST_CASE("recording: ∂loss/∂weight is the change of the loss with the weight, composed and fused") {
  for (const Method method : {Method::composed, Method::fused}) {
    Attention attention(ScaledDotProduct{}, {.method = method});
    const Variable q = parameter(noise({1, 1, 4, 3}, 1)), k = parameter(noise({1, 1, 4, 3}, 2)),
                   v = parameter(noise({1, 1, 4, 2}, 3)), c = noise({1, 1, 4, 2}, 4);
    Recording recording;
    {
      const Recorder recorder(recording);
      sum(attention(q, k, v, Mask::causal()).output * c).backward();
    }
    REQUIRE(recording[0].has_gradient());
    const Tensor slopes = recording[0].gradient_of(first(4));
    for (std::int64_t i = 0; i < 4; ++i)  // loss = Σᵢⱼ αᵢⱼ·(vⱼ·cᵢ)
      for (std::int64_t j = 0; j < 4; ++j) {
        double product = 0;
        for (std::int64_t f = 0; f < 2; ++f) product += v.value().at({0, 0, j, f}) * c.value().at({0, 0, i, f});
        CHECK(slopes.at({0, i, j}) == Approx(j <= i ? product : 0).margin(1e-12));
      }
  }
}

TEST_CASE("recording: without a backward pass there is no gradient, and with fused dropout none that is right") {
  Generator g(1);
  for (const Method method : {Method::composed, Method::fused}) {
    MultiHeadAttention heads(ScaledDotProduct{}, heads_of(method), g);
    const Variable x = parameter(noise({1, 4, 8}, 1));
    Recording recording;
    const Recorder recorder(recording);
    const Variable loss = sum(heads(x, x, x).output);
    CHECK(!recording[0].has_gradient());
    CHECK(!recording[0].gradient_of({0}).defined());
    loss.backward();
    CHECK(recording[0].has_gradient());
  }
  MultiHeadAttention heads(ScaledDotProduct{}, heads_of(Method::fused, 0.5), g);
  const Variable x = parameter(noise({1, 4, 8}, 1));
  Recording recording;
  {
    const Recorder recorder(recording);
    const Variable loss = sum(heads(x, x, x).output);
    loss.backward();
  }
  CHECK(!recording[0].has_gradient());
  CHECK(!recording[0].gradient_of({0}).defined());
}

TEST_CASE("recording: a step of decoding is a step, and its query stands where it is") {
  Generator g(1);
  MultiHeadAttention heads(ScaledDotProduct{}, heads_of(Method::composed), g);
  const Variable x = noise({1, 3, 8}, 1);
  const Tensor whole = heads(x, x, x, Mask::causal()).weights.value();
  KeyValueCache cache;
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
    CHECK(one.key_count == i + 1);
    CHECK(allclose(one.weights, slice(slice(select(whole, 0, 0), 1, i, i + 1), 2, 0, i + 1), 1e-13, 1e-14));
  }
}

TEST_CASE("recording: cross-attention has keys of its own, and grouped heads each their keys") {
  Generator g(1);
  Transformer<ScaledDotProduct> model(
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
    Transformer<ScaledDotProduct> inner;
    void visit(Visitor& v) { v("inner", inner); }
  };
  struct Bare {
    Attention<ScaledDotProduct> encoder, encoders;
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
    CHECK(!recording[0].has_gradient());
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

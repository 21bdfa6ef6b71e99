// Kinds of attention that are more than a score, in models: what they remember, and that writing with it is the full
// pass. That each is its formula, the laws say: tests/variants.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

AnyScore turned() { return Rotary(ScaledDotProduct{}, RotaryLayout::halves); }

const MultiHeadOptions head_options{.model = 16, .heads = 2, .dtype = DType::f64};
const LatentOptions latent_options{.model = 16,
                                   .heads = 2,
                                   .latent = 5,
                                   .head_size = 6,
                                   .turned = 4,
                                   .head_value_size = 6,
                                   .rotate = {.layout = RotaryLayout::halves},
                                   .dtype = DType::f64};

LatentAttention latent(LatentForm form, Generator& g) {
  LatentAttention made(latent_options, g);
  made.form = form;
  return made;
}

DecoderModel model_of(const AttentionMaker& attention, std::int64_t layers = 2) {
  Generator g(1);
  const LayerOptions layer{.model = 16, .heads = 2, .hidden = 24, .placement = NormPlacement::pre, .dtype = DType::f64};
  DecoderModel model(attention, {.vocabulary = 9, .layers = layers, .layer = layer}, g);
  for (Variable& one : parameters(model)) assign(one, one.value() * 2);  // so that what follows is far from even
  return model;
}

Tensor some_tokens(std::int64_t count) {
  Generator g(2);
  return randint({3, count}, g, 0, 9);
}

void check_pieces(DecoderModel model, const std::vector<std::int64_t>& lengths) {
  const NoGrad no_grad;
  const Tensor tokens = some_tokens(14), whole = model(tokens).value();
  StackCache cache;
  std::int64_t begin = 0;
  for (const std::int64_t length : lengths) {
    const Tensor made = model(slice(tokens, 1, begin, begin + length), {.cache = &cache}).value();
    CHECK(allclose(made, slice(whole, 1, begin, begin + length), 1e-10, 1e-10));
    begin += length;
    CHECK(cache.position() == begin);
  }
}

// Of what was written after a prompt, by the model without a memory.
double log_probability(DecoderModel model, const Tokens& prompt, const Tokens& written) {
  std::vector<double> all(prompt.begin(), prompt.end());
  all.insert(all.end(), written.begin(), written.end());
  const auto count = static_cast<std::int64_t>(all.size());
  const Tensor logits = log_softmax(model(tensor(all, {1, count}, DType::i64)).value(), -1);
  double total = 0;
  for (std::size_t i = prompt.size(); i < all.size(); ++i)
    total += logits.at({0, static_cast<std::int64_t>(i) - 1, static_cast<std::int64_t>(all[i])});
  return total;
}

// Beams are followed by copies of memories that go on in several ways.
void check_writing(const DecoderModel& model) {
  const Tokens prompt{3, 1, 4};
  const auto found = beam_search(writer(model), prompt, {.width = 3, .tokens = 8});
  REQUIRE(found.size() == 3);
  for (const Hypothesis& one : found)
    CHECK(std::abs(one.log_probability - log_probability(model, prompt, one.tokens)) < 1e-9);
  CHECK(found[0].tokens != found[1].tokens);
}

// A head counts by what the mask says, in proportion: a norm behind it would undo that.
void check_head_mask(AnyAttention attention) {
  const Variable x = noise({1, 4, 16});
  const auto with = [&](const Nested& mask) {
    return attention(x, x, x, Mask::causal(), {.head_mask = f64(mask)}).output.value();
  };
  const Tensor none = with({0, 0}), first = with({1, 0}) - none;
  CHECK(max(abs(first)).item() > 1e-3);
  CHECK(allclose(with({0.25, 0}) - none, first * 0.25, 1e-12, 1e-12));
}

}  // namespace

TEST_CASE("variants in models: in pieces it is the full pass, and beams go on with memories of their own") {
  const auto check = [](const char* name, const AttentionMaker& attention) {
    INFO(name);
    const DecoderModel model = model_of(attention);
    check_pieces(model, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    check_pieces(model, {5, 1, 2, 6});
    check_writing(model);
    for (const DecoderLayer& layer : model.decoder.layers) check_head_mask(layer.attention);
  };
  check("gates", [](std::int64_t layer, Generator& g) -> AnyAttention {
    return GatedAttention(turned(), head_options, layer == 0 ? Gates::per_head : Gates::per_feature, g);
  });
  check("QK-norm", AnyScore(QKNorm(turned(), {.size = 8, .dtype = DType::f64})));
  check("latent", [](std::int64_t layer, Generator& g) -> AnyAttention {
    return latent(layer == 0 ? LatentForm::expanded : LatentForm::absorbed, g);
  });
  check("differential", [](std::int64_t layer, Generator& g) -> AnyAttention {
    return DifferentialHeads(turned(), head_options, 0.8 - 0.6 * std::exp(-0.3 * static_cast<double>(layer)), g);
  });
  check("evicting", [](std::int64_t, Generator& g) -> AnyAttention {
    return EvictingAttention(turned(), head_options, {2, 3}, g);
  });
  // Inside of Rotary, as in gpt-oss, and around it: then the cache keeps keys that are not turned yet.
  check("sinks", [](std::int64_t layer, Generator& g) -> AnyAttention {
    const auto with_sinks = [](AnyScore inner) {
      Sinks score(std::move(inner), 2, DType::f64);
      assign(score.sinks, f64({0.6, -0.2}));
      return score;
    };
    MultiHeadOptions options = head_options;
    options.method = layer == 0 ? Method::composed : Method::fused;
    AnyScore score =
        layer == 0 ? AnyScore(with_sinks(turned())) : Rotary(with_sinks(ScaledDotProduct{}), RotaryLayout::halves);
    return MultiHeadAttention(std::move(score), options, g);
  });
}

// Halves turned inside are the whole turned outside, with the frequencies of a half twice, and pairs that lie together.
// Outside, a key is turned once, and the cache keeps it so; so keys may be evicted.
TEST_CASE("differential heads: positions inside or outside are the same; only outside, keys can be evicted") {
  const NoGrad no_grad;
  Generator g(8), same(8);
  const RotaryFrequencies half = rotary::plain(2);
  RotaryFrequencies twice = half;
  twice.of_pairs.insert(twice.of_pairs.end(), half.of_pairs.begin(), half.of_pairs.end());
  const RotateOptions inside{.layout = RotaryLayout::interleaved, .frequencies = half},
      outside{.layout = RotaryLayout::interleaved, .frequencies = twice};
  const auto differential = [](AnyScore score) { return DifferentialAttention(std::move(score), 0.5, DType::f64); };
  MultiHeadAttention one(differential(Rotary(ScaledDotProduct{}, inside)), head_options, g),
      other(Rotary(differential(ScaledDotProduct{}), outside), head_options, same);
  const Variable x = noise({2, 9, 16});
  const Tensor whole = one(x, x, x, Mask::causal()).output.value();
  CHECK(largest_difference(other(x, x, x, Mask::causal()).output.value(), whole) < 1e-12);
  const Tensor begins = tensor({0, 4}, DType::i64);
  const Mask mask = Mask::causal() & Mask::valid_from(begins);
  const Variable last = slice(x, 1, 6);
  for (MultiHeadAttention* attention : {&one, &other}) {
    const Tensor padded = (*attention)(x, x, x, mask, {.begins = begins}).output.value();
    const Variable alone = slice(slice(x, 0, 1), 1, 4);
    CHECK(largest_difference(slice(slice(padded, 0, 1), 1, 4),
                             (*attention)(alone, alone, alone, Mask::causal()).output.value()) < 1e-12);
    CHECK(largest_difference((*attention)(last, x, x, Mask::causal(), {.offset = 6}).output.value(),
                             slice(whole, 1, 6)) < 1e-12);
  }

  EvictingAttention evicting(other.attention.score, head_options, {2, 3}, g);
  const Tensor all = evicting(x, x, x, Mask::causal()).output.value();
  Cache cache;
  for (std::int64_t i = 0; i < 9; ++i) {
    const Variable now = slice(x, 1, i, i + 1);
    CHECK(largest_difference(evicting(now, now, now, Mask::causal(), {.cache = &cache}).output.value(),
                             slice(all, 1, i, i + 1)) < 1e-12);
  }
  CHECK_THROWS_WITH(EvictingAttention(one.attention.score, head_options, {2, 3}, g),
                    ContainsSubstring("use one that places queries and keys"));
}

TEST_CASE("variants: one sequence without a batch is refused by name, or taken as a batch of one") {
  Generator g(9);
  const Variable x = noise({3, 16});
  const auto refuses = [&](auto attention, const std::string& name) {
    CHECK_THROWS_WITH(attention(x, x, x, Mask::causal()),
                      name +
                          ": q (3, 16), k (3, 16), v (3, 16): they must be (B, L, E); unsqueeze(x, 0) makes a batch "
                          "of one sequence");
  };
  refuses(ForgettingAttention(turned(), head_options, g), "ForgettingAttention");
  refuses(latent(LatentForm::expanded, g), "LatentAttention");
  refuses(DeltaAttention({.model = 16, .heads = 2, .dtype = DType::f64}, g), "DeltaAttention");

  const auto takes = [&](auto attention) {
    const Variable whole = attention(unsqueeze(x, 0), unsqueeze(x, 0), unsqueeze(x, 0), Mask::causal()).output;
    CHECK(identical(attention(x, x, x, Mask::causal()).output.value(), squeeze(whole, 0).value()));
  };
  takes(GatedAttention(turned(), head_options, Gates::per_head, g));
  takes(DifferentialHeads(turned(), head_options, 0.5, g));

  const LayerOptions options{
      .model = 16, .heads = 2, .hidden = 24, .placement = NormPlacement::pre, .dtype = DType::f64};
  EncoderLayer layer(turned(), options, g);
  const Mask two = Mask::valid_lengths({2});
  CHECK(identical(layer(x, two).output.value(), squeeze(layer(unsqueeze(x, 0), two).output, 0).value()));
  CHECK_THROWS_WITH(layer(noise({16})), "a layer: x (16): it must be (B, L, E), or (L, E)");
}

// NaN · 0 is NaN: gates of padded queries are made of zeros, as their outputs are.
TEST_CASE("gates: NaN in a padded query reaches no gradient") {
  Generator g(3);
  GatedAttention attention(ScaledDotProduct{}, head_options, Gates::per_feature, g);
  const Tensor x = noise({1, 3, 16});
  const Tensor padded = cat({slice(x, 1, 0, 2), full({1, 1, 16}, nan, DType::f64)}, 1);
  const auto run = [&](const Tensor& input) {
    for (Variable& one : parameters(attention)) one.clear_gradient();
    const Variable in(input), out = attention(in, in, in, Mask::valid_lengths(tensor({{2, 2, 0}}, DType::i64))).output;
    sum(slice(out, 1, 0, 2)).backward();
    return std::pair(slice(out.value(), 1, 0, 2), attention.w_g.weight.gradient().value());
  };
  const auto clean = run(x), poisoned = run(padded);
  CHECK(identical(clean.first, poisoned.first));
  CHECK(identical(clean.second, poisoned.second));
}

TEST_CASE("latent attention: both forms give the same numbers, and the same gradients") {
  Generator g(4);
  const Variable x = parameter(noise({2, 9, 16}));
  for (const Method method : {Method::composed, Method::fused}) {
    LatentAttention one = latent(LatentForm::expanded, g), other = one;
    other.form = LatentForm::absorbed;
    set_method(one, method), set_method(other, method);
    std::vector<Variable> leaves = parameters(one);
    leaves.push_back(x);
    const auto run = [&](LatentAttention& attention) {
      const Variable made = attention(x, x, x, Mask::causal()).output;
      return std::pair(made.value(), grad({sum(sin(made))}, leaves));
    };
    const auto expanded = run(one), absorbed = run(other);
    CHECK(largest_difference(expanded.first, absorbed.first) < 1e-12);
    for (std::size_t i = 0; i < leaves.size(); ++i)
      CHECK(largest_difference(expanded.second[i].value(), absorbed.second[i].value()) < 1e-12);
  }
}

TEST_CASE("latent attention: both forms compute with weights that are stored in bf16") {
  Generator g(4);
  LatentOptions options = latent_options;
  options.dtype = DType::f32;
  LatentAttention one(options, g);
  store_in_bf16(one);
  LatentAttention other = one;
  other.form = LatentForm::absorbed;
  const Variable x = noise({2, 9, 16}, 1, DType::f32);
  CHECK(allclose(one(x, x, x).output.value(), other(x, x, x).output.value(), 1e-5, 1e-5));
}

TEST_CASE("bilinear score: the same with a matrix that is stored in bf16, in both methods") {
  Generator g(4);
  BilinearScore score({.query_size = 5, .key_size = 3}, g);
  store_in_bf16(score);
  const Variable q = noise({2, 4, 5}, 1, DType::f32), k = noise({2, 6, 3}, 2, DType::f32);
  const Tensor expected = matmul(matmul(q.value(), to(score.weight.value(), DType::f32)), transpose(k.value()));
  CHECK(allclose(score(q, k).value(), expected, 1e-5, 1e-6));
  const FusedForm form = score.fused(q, k, 0);
  CHECK(allclose(composed_scores(form.score, form.q, form.k).value(), expected, 1e-5, 1e-6));
}

// 5 numbers of the latent and 4 of the turned key, where two heads of 6 + 4 and 6 features would need 32.
TEST_CASE("latent attention: a token takes a latent and a turned key of the memory, and nothing else") {
  const NoGrad no_grad;
  DecoderModel model =
      model_of([](std::int64_t, Generator& g) -> AnyAttention { return latent(LatentForm::absorbed, g); });
  StackCache cache;
  model(some_tokens(14), {.cache = &cache});
  for (LayerCache& layer : cache.layers) {
    const auto& kept = layer.self.as<KeyValueCache>();
    CHECK(kept.keys.shape() == Shape{3, 1, 14, 5});
    CHECK(kept.values.shape() == Shape{3, 1, 14, 4});
  }
  Generator g(5);
  LatentAttention attention = latent(LatentForm::expanded, g);
  const Variable x = noise({1, 2, 16}), other = noise({1, 2, 16}, 2);
  CHECK_THROWS_WITH(attention(x, x, other), ContainsSubstring("LatentAttention: k and v are two tensors"));
}

// The table says by hand who is still there: the first two, and a query's own token with the two before it.
TEST_CASE("eviction: it is attention with a mask that hides what was evicted") {
  const NoGrad no_grad;
  Generator g(6);
  EvictingAttention evicting(turned(), head_options, {2, 3}, g);
  MultiHeadAttention plain = evicting.heads;
  plain.mask = {};
  Tensor table = zeros({20, 20}, DType::f64);
  for (std::int64_t i = 0; i < 20; ++i)
    for (std::int64_t j = 0; j <= i; ++j) {
      const Tensor row = equal(reshape(arange(20, DType::f64), {20, 1}), static_cast<double>(i));
      if (j < 2 || i - j < 3) table = table + row * equal(arange(20, DType::f64), static_cast<double>(j));
    }
  const Variable x = noise({1, 20, 16});
  const Tensor expected = plain(x, x, x, Mask::keep(table)).output.value();
  Cache cache;
  for (std::int64_t i = 0; i < 20; ++i) {
    const Variable now = slice(x, 1, i, i + 1);
    const Tensor made = evicting(now, now, now, Mask::causal(), {.cache = &cache}).output.value();
    CHECK(allclose(made, slice(expected, 1, i, i + 1), 1e-12, 1e-12));
    CHECK(cache.length() == std::min<std::int64_t>(i + 1, 4));
    CHECK(cache.position() == i + 1);
  }
  CHECK_THROWS_WITH(EvictingAttention(Alibi(ScaledDotProduct{}, 2), head_options, {2, 3}, g),
                    ContainsSubstring("EvictingAttention: its score counts the keys"));
  Cache another;
  CHECK_THROWS_WITH(evicting(x, x, x, Mask::causal(), {.cache = &another, .begins = tensor({0}, DType::i64)}),
                    ContainsSubstring("EvictingAttention: with a cache, sequences begin together"));

  // Masks that name keys by their places: right without a cache, and refused with one.
  const auto refuses = [&](const Mask& mask) {
    CHECK_NOTHROW(evicting(x, x, x, Mask::causal() & mask));
    CHECK_THROWS_WITH(evicting(x, x, x, Mask::causal() & mask, {.cache = &another}),
                      ContainsSubstring("other masks name keys by places that eviction changes"));
  };
  refuses(Mask::documents(reshape(to(expand(reshape(arange(4), {4, 1}), {4, 5}), DType::i64), {1, 20})));
  refuses(Mask::valid_from({3}));
  refuses(Mask::keep(table));
  refuses(Mask::bias(zeros({20, 20}, DType::f64)));
  CHECK(another.length() == 0);
  CHECK_NOTHROW(evicting(x, x, x, Mask::causal() & Mask::valid_lengths({15}), {.cache = &another}));
}

// What a query sees is one thing, and what its tokens let be forgotten another: a key that only earlier queries saw
// forgets all the same.
TEST_CASE("forgetting attention: the last queries of a text are those of the whole pass, whatever they see") {
  Generator g(3);
  ForgettingAttention attention(ScaledDotProduct{}, head_options, g);
  const Tensor x = normal({2, 9, 16}, g, 0, 1, DType::f64);
  const Mask mask = Mask::causal() & local_global(2, 1);
  const Tensor whole = attention(x, x, x, mask).output.value();
  const Tensor last = attention(slice(x, 1, 7), x, x, mask, {.offset = 7}).output.value();
  CHECK(allclose(last, slice(whole, 1, 7), 1e-12, 1e-12));
}

// As Gemma 3 has it: five layers with a window of 2, then one that sees all. And each fourth layer without positions,
// as in SmolLM3. A token reaches one that is farther away than all windows by the layer that sees all, and only by it.
TEST_CASE("a stack: windows on five layers of six, no positions on each fourth") {
  const auto make = [](bool all_see_near) {
    return [=](std::int64_t layer, Generator& g) -> AnyAttention {
      MultiHeadOptions o = head_options;
      if (all_see_near || layer % 6 != 5) o.mask = sliding_window(2);
      return MultiHeadAttention(layer % 4 == 3 ? AnyScore(ScaledDotProduct{}) : turned(), o, g);
    };
  };
  check_pieces(model_of(make(false), 6), {1, 1, 1, 5, 6});
  const auto reaches = [](DecoderModel model) {
    const Tensor tokens = some_tokens(12);
    const Tensor other = cat({slice(tokens, 1, 0, 1) * -1 + 8, slice(tokens, 1, 1)}, 1);  // another first token
    const auto last = [&](const Tensor& of) { return model(of, {.last = true}).value(); };
    return largest_difference(last(tokens), last(other)) > 1e-9;
  };
  CHECK(reaches(model_of(make(false), 6)));
  CHECK_FALSE(reaches(model_of(make(true), 6)));  // six layers of windows reach six tokens back
}

}  // namespace regard::nn

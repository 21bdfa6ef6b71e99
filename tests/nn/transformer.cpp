// Laws of transformers, whatever is inside: where norms stand, what padding may reach, what is not seen, and that
// weights are a matter of looking, not of computing.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/nn/gradcheck_module.h"

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

LayerOptions small(NormPlacement placement, Method method = Method::composed, DType dtype = DType::f64) {
  return {.model = 4, .heads = 2, .hidden = 6, .placement = placement, .dtype = dtype, .method = method};
}

constexpr std::array placements{NormPlacement::pre, NormPlacement::post};
constexpr std::array methods{Method::composed, Method::fused};

template <Module M>
void zero_parameters(M& module) {
  for (Variable& parameter : parameters(module)) assign(parameter, zeros(parameter.shape(), parameter.dtype()));
}

bool has_nan(const Tensor& x) { return max(is_nan(x)).item() != 0; }

}  // namespace

// With all weights 0 each part f gives 0: then pre leaves x as it is, to the last bit, and post normalises it twice.
TEST_CASE("transformer: a residual adds x itself, and adds it once") {
  Generator g(1);
  const Variable x = noise({2, 3, 4});
  EncoderLayer pre(ScaledDotProduct{}, small(NormPlacement::pre), g);
  zero_parameters(pre);
  CHECK(identical(pre(x).output.value(), x.value()));

  EncoderLayer post(ScaledDotProduct{}, small(NormPlacement::post), g);
  for (auto& [name, parameter] : named_parameters(post))
    if (!name.starts_with("norm")) assign(parameter, zeros(parameter.shape(), parameter.dtype()));
  const LayerNorm norm({.size = 4, .dtype = DType::f64});
  CHECK(allclose(post(x).output.value(), norm(norm(x)).value(), 1e-14, 1e-14));
}

// Written out by hand from the parts of the layer: x + f(norm(x)) or norm(x + f(x)), for each part in turn.
TEST_CASE("transformer: where the norms stand") {
  for (const NormPlacement placement : placements) {
    Generator g(2);
    DecoderLayer layer(ScaledDotProduct{}, ScaledDotProduct{}, small(placement), g);
    const bool pre = placement == NormPlacement::pre;
    const Variable x = noise({2, 3, 4}), memory = noise({2, 5, 4}, 2);
    const auto part = [&](const Variable& in, Residual& around, auto&& f) {
      return pre ? in + f(around.norm(in)) : around.norm(in + f(in));
    };
    Variable y = part(x, layer.around_attention,
                      [&](const Variable& in) { return layer.attention(in, in, in, Mask::causal()).output; });
    y = part(y, *layer.around_cross, [&](const Variable& in) { return (*layer.cross)(in, memory, memory).output; });
    y = part(y, layer.around_feed_forward, layer.feed_forward);
    CHECK(identical(layer(x, memory, Mask::causal()).output.value(), y.value()));
  }
}

TEST_CASE("transformer: feed-forward parts are what their names say") {
  Generator g(3);
  const Variable x = noise({2, 3, 4});
  const auto make = [&](FeedForwardKind kind, bool bias) {
    return FeedForward({.size = 4, .hidden = 5, .kind = kind, .bias = bias, .dtype = DType::f64}, g);
  };
  for (const bool bias : {true, false}) {
    const auto check = [&](FeedForwardKind kind, const auto& f) {
      FeedForward part = make(kind, bias);
      CHECK(part.up.bias.defined() == bias);
      CHECK(allclose(part(x).value(), part.down(f(part.up(x))).value(), 1e-13, 1e-13));
      check_gradients("FeedForward", part, {2, 4});
    };
    check(FeedForwardKind::relu, [](const Variable& z) { return relu(z); });
    check(FeedForwardKind::gelu, [](const Variable& z) { return gelu(z, GeluForm::erf); });
    check(FeedForwardKind::gelu_tanh, [](const Variable& z) { return gelu(z, GeluForm::tanh); });
  }
  const Variable wide = 30.0 * x;  // beyond the limits of the clamped one
  const auto check_gated = [&](FeedForwardKind kind, const auto& f) {
    FeedForward part = make(kind, false);
    REQUIRE(part.gate);
    CHECK(allclose(part(wide).value(), part.down(f((*part.gate)(wide), part.up(wide))).value(), 1e-13, 1e-13));
  };
  check_gated(FeedForwardKind::swiglu, [](const Variable& gate, const Variable& up) { return silu(gate) * up; });
  check_gated(FeedForwardKind::geglu,
              [](const Variable& gate, const Variable& up) { return gelu(gate, GeluForm::tanh) * up; });
  check_gated(FeedForwardKind::clamped_swiglu, [](const Variable& gate, const Variable& up) {
    return minimum(gate, 7) * sigmoid(1.702 * minimum(gate, 7)) * (clamp(up, -7, 7) + 1);
  });
  FeedForward gated = make(FeedForwardKind::swiglu, false);
  std::vector<std::string> names;
  for (const auto& [name, parameter] : named_parameters(gated)) names.push_back(name);
  CHECK(names == std::vector<std::string>{"gate.weight", "up.weight", "down.weight"});
}

TEST_CASE("transformer: gradients, of all parameters and inputs") {
  for (const NormPlacement placement : placements)
    for (const Method method : methods) {
      Generator g(4);
      LayerOptions options = small(placement, method);
      options.feed_forward = FeedForwardKind::gelu;  // relu has a kink
      options.bias = false;  // one that is added to all keys is added to all scores of a query, and changes nothing
      options.norm = placement == NormPlacement::pre ? NormKind::rms : NormKind::layer;
      const StackOptions stack{.layers = 1, .layer = options};
      check_gradients("EncoderStack", EncoderStack(ScaledDotProduct{}, stack, g), {noise({2, 3, 4})},
                      [](auto& model, const auto& in) {
                        return model(in[0], Mask::valid_lengths({2, 3})).output;
                      });
      check_gradients("DecoderStack", DecoderStack(Alibi(ScaledDotProduct{}, 2), ScaledDotProduct{}, stack, g),
                      {noise({1, 2, 4}), noise({1, 3, 4}, 2)},
                      [](auto& model, const auto& in) { return model(in[0], in[1], Mask::causal()).output; });
    }
}

// The Jacobian of a causal model, row by row: what stands at i does not depend on what comes later, not even slightly.
TEST_CASE("transformer: a causal model does not look ahead") {
  for (const NormPlacement placement : placements)
    for (const Method method : methods) {
      Generator g(5);
      DecoderStack model(Rotary(ScaledDotProduct{}, RotaryLayout::halves),
                         {.layers = 2, .layer = small(placement, method)}, g);
      const Variable x = parameter(noise({1, 5, 4}));
      const Variable y = model(x, Mask::causal()).output;
      for (std::int64_t i = 0; i < 5; ++i)
        for (std::int64_t c = 0; c < 4; ++c) {
          const Variable one = select(select(select(y, 0, 0), 0, i), 0, c);
          const Tensor slopes = grad({one}, {x}, {.keep_graph = true})[0].value();
          CHECK(max(abs(select(select(slopes, 0, 0), 0, i))).item() > 0);
          if (i < 4) CHECK(max(abs(slice(slopes, 1, i + 1))).item() == 0);
        }
    }
}

TEST_CASE("transformer: padding changes nothing, and NaN in it reaches nothing") {
  for (const NormPlacement placement : placements)
    for (const Method method : methods) {
      INFO(int(placement) << int(method));
      Generator g(6);
      EncoderStack model(ScaledDotProduct{}, {.layers = 2, .layer = small(placement, method)}, g);
      const Tensor real = noise({2, 3, 4});
      const auto run = [&](const Tensor& padded, const Mask& mask, std::int64_t begin) {
        for (Variable& one : parameters(model)) one.clear_gradient();
        const Variable in = parameter(padded), out = model(in, mask).output;
        sum(square(slice(out, 1, begin, begin + 3))).backward();
        std::vector<Tensor> results{slice(out.value(), 1, begin, begin + 3),
                                    slice(in.gradient().value(), 1, begin, begin + 3)};
        for (const Variable& parameter : parameters(model)) results.push_back(parameter.gradient().value());
        CHECK_FALSE(has_nan(out.value()));
        CHECK(sum(abs(in.gradient().value())).item() == Approx(sum(abs(results[1])).item()));
        return results;
      };
      const std::vector<Tensor> alone = run(real, {}, 0);
      const auto agree = [&](const std::vector<Tensor>& other) {
        for (std::size_t i = 0; i < alone.size(); ++i) CHECK(allclose(other[i], alone[i], 1e-12, 1e-12));
      };
      agree(run(pad(real, {{}, {0, 2}, {}}, nan), Mask::valid_lengths({3, 3}), 0));
      const Tensor of_each_query = tensor({{3, 3, 3, 0, 0}, {3, 3, 3, 0, 0}}, DType::i64);
      agree(run(pad(real, {{}, {0, 2}, {}}, nan), Mask::valid_lengths(of_each_query), 0));
      agree(run(pad(real, {{}, {2, 0}, {}}, nan), Mask::valid_from({2, 2}), 2));
    }
}

TEST_CASE("transformer: NaN in a padded memory reaches nothing") {
  for (const Method method : methods) {
    Generator g(7);
    DecoderLayer layer(ScaledDotProduct{}, ScaledDotProduct{}, small(NormPlacement::pre, method), g);
    const Variable x = parameter(noise({1, 2, 4})), memory = parameter(pad(noise({1, 3, 4}), {{}, {0, 2}, {}}, nan));
    sum(layer(x, memory, Mask::causal(), Mask::valid_lengths({3})).output).backward();
    for (const auto& [name, parameter] : named_parameters(layer)) {
      INFO(name);
      CHECK_FALSE(has_nan(parameter.gradient().value()));
    }
    CHECK_FALSE(has_nan(memory.gradient().value()));
  }
}

TEST_CASE("transformer: asking for the weights changes no bit of output or gradient") {
  const auto run = [](auto score, Method method, bool weights) {
    Generator g(8);
    LayerOptions options = small(NormPlacement::pre, method, DType::f32);
    options.dropout = options.attention_dropout = 0.25;
    DecoderStack model(score, ScaledDotProduct{}, {.layers = 2, .layer = options}, g);
    const Variable x = parameter(noise({2, 3, 4}, 1, DType::f32)), memory = noise({2, 5, 4}, 2, DType::f32);
    StackOutput made = model(x, memory, Mask::causal(), Mask::valid_lengths({5, 2}), {.weights = weights});
    sum(square(made.output)).backward();
    return std::tuple{made.output.value(), x.gradient().value(), made.weights};
  };
  const auto check = [&](auto score) {
    std::vector<LayerWeights> of_each_method[2];
    for (const Method method : methods) {
      const auto [output, gradient, weights] = run(score, method, true);
      const auto [plain, plain_gradient, none] = run(score, method, false);
      CHECK(identical(output, plain));
      CHECK(identical(gradient, plain_gradient));
      CHECK(none.empty());
      REQUIRE(weights.size() == 2);
      of_each_method[int(method)] = weights;
    }
    // The first layer sees the same in both; in the second dropout has come between.
    const LayerWeights &a = of_each_method[0][0], &b = of_each_method[1][0];
    CHECK(a.self.shape() == Shape{2, 2, 3, 3});
    CHECK(a.cross.shape() == Shape{2, 2, 3, 5});
    CHECK(allclose(a.self.value(), b.self.value(), 1e-6, 1e-6));
    CHECK(max(abs(triu(a.self.value(), 1))).item() == 0);
    CHECK(max(abs(slice(select(b.cross.value(), 0, 1), -1, 2))).item() == 0);
  };
  check(ScaledDotProduct{});
  check(Rotary(ScaledDotProduct{}, RotaryLayout::interleaved));
  check(Alibi(ScaledDotProduct{}, 2));
  check(DifferentialAttention(ScaledDotProduct{}));  // a sum of two softmaxes
}

TEST_CASE("transformer: scores without a fused form, and scores that learn, work as well") {
  Generator g(9);
  StackOptions options{.layers = 2, .layer = small(NormPlacement::pre)};
  options.layer.bias = false;
  const auto talking = [](Generator&) { return TalkingHeads(ScaledDotProduct{}, 2, DType::f64); };
  EncoderStack each(talking, options, g);
  EncoderStack shared(TalkingHeads(ScaledDotProduct{}, 2, DType::f64), options, g);
  CHECK(parameters(each).size() == parameters(shared).size() + 2);  // its own score for each layer, or one for both
  check_gradients("talking heads", each, {noise({1, 2, 4})},
                  [](auto& model, const auto& in) { return model(in[0]).output; });
}

TEST_CASE("transformer: a head can be switched off in each layer") {
  Generator g(10);
  EncoderStack model(ScaledDotProduct{}, {.layers = 2, .layer = small(NormPlacement::pre)}, g);
  const Variable x = noise({1, 3, 4}), mask = parameter(ones({2, 2}, DType::f64));
  CHECK(identical(model(x, {}, {.head_mask = mask}).output.value(), model(x).output.value()));
  sum(square(model(x, {}, {.head_mask = mask}).output)).backward();
  CHECK(min(abs(mask.gradient().value())).item() > 0);
  CHECK_THROWS_WITH(model(x, {}, {.head_mask = ones({3, 2}, DType::f64)}),
                    ContainsSubstring("head_mask (3, 2) for 2 layers"));
}

TEST_CASE("transformer: what does not fit is refused") {
  Generator g(11);
  const LayerOptions options = small(NormPlacement::pre);
  const Variable x = noise({1, 2, 4});
  DecoderLayer alone(ScaledDotProduct{}, options, g), both(ScaledDotProduct{}, ScaledDotProduct{}, options, g);
  CHECK_THROWS_WITH(alone(x, x), ContainsSubstring("a memory (1, 2, 4) is given, and it has no cross-attention"));
  CHECK_THROWS_WITH(both(x), ContainsSubstring("no memory of an encoder is given"));
  Cache kept;
  CHECK_THROWS_WITH(both(x, x, {}, {}, {.memory = &kept}), ContainsSubstring("a layer: .memory is for keys that stay"));
  CHECK_THROWS_WITH(EncoderLayer(ScaledDotProduct{}, options, g)(x, {}, {.memory = &kept}),
                    ContainsSubstring("a layer: .memory is for keys that stay"));
  CHECK_THROWS_WITH(EncoderStack(ScaledDotProduct{}, {.layers = 0, .layer = options}, g),
                    ContainsSubstring("layers = 0 must be 1 or more"));
  CHECK_THROWS_WITH(FeedForward({.size = 4, .hidden = 0}, g), ContainsSubstring("hidden = 0 must be 1 or more"));
  DecoderStack one(ScaledDotProduct{}, {.layers = 1, .layer = options}, g);
  StackCache cache{std::vector<LayerCache>(2)};
  CHECK_THROWS_WITH(one(x, Mask::causal(), {.cache = &cache}),
                    ContainsSubstring("a cache of 2 layers is given to a stack of 1"));
}

}  // namespace regard::nn

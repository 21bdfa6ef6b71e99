// Bahdanau's decoder: the query is the state before the step, keys and values are all states of the encoder, and there
// is one context for each step.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/nn/gradcheck_module.h"

namespace regard::nn {
namespace {

constexpr std::int64_t E = 3, H = 4, M = 6;

AdditiveScore additive(Generator& g) { return {{.query_size = H, .key_size = M, .hidden = 5, .dtype = DType::f64}, g}; }

AttentionDecoder decoder_with(AnyScore score, Generator& g, std::int64_t memory = M) {
  return {std::move(score), ResetGate::after_product, {.in = E, .hidden = H, .memory = memory, .dtype = DType::f64}, g};
}

struct Given {
  Variable states = parameter(noise({2, 5, M}, 1)), x = parameter(noise({2, 3, E}, 2)), h = parameter(noise({2, H}, 3));
};

// The steps written out with the library's attention and a cell.
void check_by_hand(const char* name, const AttentionDecoder& decoder, const Variable& encoder_states,
                   const Mask& mask) {
  INFO(name);
  const Given given;
  const auto memory = decoder.remember({.states = encoder_states, .mask = mask});
  const auto [states, contexts, weights] = decoder(given.x, given.h, memory);
  Attention attention(*decoder.score);
  Variable h = given.h;
  for (std::int64_t t = 0; t < 3; ++t) {
    const auto [context, shares] = attention(unsqueeze(h, 1), encoder_states, encoder_states, mask, t);
    CHECK(allclose(select(contexts, 1, t).value(), squeeze(context, 1).value(), 1e-13, 1e-13));
    CHECK(allclose(select(weights, 1, t).value(), squeeze(shares, 1).value(), 1e-13, 1e-13));
    h = decoder.cell(cat({select(given.x, 1, t), squeeze(context, 1)}, -1), h);
    CHECK(allclose(select(states, 1, t).value(), h.value(), 1e-13, 1e-13));
  }
}

// Two layers written out: the query is the state of the upper one, which reads the state of the lower.
void check_two_layers(const AttentionDecoder& decoder, const Mask& mask) {
  const Given given;
  const Variable start = parameter(noise({2, 2, H}, 8));  // (layers, B, H)
  const auto memory = decoder.remember({.states = given.states, .mask = mask});
  const auto [states, contexts, weights] = decoder(given.x, start, memory);
  Attention attention(*decoder.score);
  Variable lower = select(start, 0, 0), upper = select(start, 0, 1), h = start;
  for (std::int64_t t = 0; t < 3; ++t) {
    const auto [context, shares] = attention(unsqueeze(upper, 1), given.states, given.states, mask, t);
    lower = decoder.cell(cat({select(given.x, 1, t), squeeze(context, 1)}, -1), lower);
    upper = decoder.others[0](lower, upper);
    CHECK(allclose(select(contexts, 1, t).value(), squeeze(context, 1).value(), 1e-13, 1e-13));
    CHECK(allclose(select(weights, 1, t).value(), squeeze(shares, 1).value(), 1e-13, 1e-13));
    CHECK(allclose(select(states, 1, t).value(), upper.value(), 1e-13, 1e-13));
    const DecoderStep one = decoder.step(select(given.x, 1, t), h, memory, t);
    h = one.h;
    CHECK(h.shape() == Shape{2, 2, H});
    CHECK(identical(decoder.top(h).value(), select(states, 1, t).value()));
  }
}

// How much y moves with x: the largest slope.
double slope(const Variable& y, const Variable& x) {
  return max(abs(grad({sum(square(y))}, {x}, {.keep_graph = true, .allow_unused = true})[0])).item();
}

}  // namespace

TEST_CASE("attention decoder: by hand, with any score") {
  Generator g(1);
  const Given given;
  const Mask mask = Mask::valid_lengths({5, 2});
  const Variable narrow = slice(given.states, -1, 0, H);  // scores that compare feature by feature
  check_by_hand("additive", decoder_with(additive(g), g), given.states, {});
  check_by_hand("additive, lengths", decoder_with(additive(g), g), given.states, mask);
  check_by_hand("additive, bias", decoder_with(additive(g), g), given.states, Mask::bias(noise({1, 5}, 4)));
  check_by_hand("bilinear", decoder_with(BilinearScore({.query_size = H, .key_size = M, .dtype = DType::f64}, g), g),
                given.states, mask);
  check_by_hand("dot", decoder_with(ScaledDotProduct{}, g, H), narrow, mask);
  check_by_hand("cosine", decoder_with(CosineScore({.dtype = DType::f64}), g, H), narrow, mask);
  check_by_hand("rotary", decoder_with(Rotary(ScaledDotProduct{}, RotaryLayout::halves), g, H), narrow, mask);
  check_by_hand("average", decoder_with(AveragePooling{}, g), given.states, mask);
  check_by_hand("soft-capped", decoder_with(SoftCapped(additive(g), 2), g), given.states, mask);
  check_by_hand("relu", decoder_with(ReluAttention(ScaledDotProduct{}), g, H), narrow, mask);
}

TEST_CASE("attention decoder: two layers, by hand") {
  Generator g(1);
  const DecoderOptions sizes{.in = E, .hidden = H, .memory = M, .layers = 2, .dtype = DType::f64};
  const Mask mask = Mask::valid_lengths({5, 2});
  check_two_layers({additive(g), ResetGate::after_product, sizes, g}, mask);
  check_two_layers({additive(g), ResetGate::before_product, sizes, g}, mask & Mask::bias(noise({1, 5}, 4)));
  const BilinearScore bilinear({.query_size = H, .key_size = M, .dtype = DType::f64}, g);
  check_two_layers({bilinear, ResetGate::after_product, sizes, g}, {});
}

TEST_CASE("attention decoder: the context is asked for by the state before, so it does not depend on what is read") {
  Generator g(1);
  const Given given;
  const auto decoder = decoder_with(additive(g), g);
  const auto memory = decoder.remember({.states = given.states});
  const std::vector<Variable> x{parameter(noise({2, E}, 5)), parameter(noise({2, E}, 6)), parameter(noise({2, E}, 7))};
  const DecoderOutput all = decoder(stack(x, 1), given.h, memory);
  for (std::int64_t t = 0; t < 3; ++t)
    for (std::int64_t read = 0; read < 3; ++read) {
      INFO("context " << t << ", input " << read);
      const double by_input = slope(select(all.contexts, 1, t), x[static_cast<std::size_t>(read)]);
      CHECK((by_input > 0) == (read < t));
      CHECK((slope(select(all.states, 1, t), x[static_cast<std::size_t>(read)]) > 0) == (read <= t));
    }
  CHECK(slope(select(all.contexts, 1, 0), given.h) > 0);
  CHECK(!allclose(select(all.contexts, 1, 0).value(), select(all.contexts, 1, 1).value(), 1e-3, 1e-3));
}

TEST_CASE("attention decoder: steps are all of them at once, bit for bit") {
  for (const DType dtype : {DType::f32, DType::f64}) {
    Generator g(1);
    AttentionDecoder decoder(AdditiveScore({.query_size = 19, .key_size = 10, .hidden = 21, .dtype = dtype}, g),
                             ResetGate::after_product, {.in = 7, .hidden = 19, .memory = 10, .dtype = dtype}, g);
    SummaryDecoder plain(ResetGate::before_product, {.in = 7, .hidden = 19, .memory = 10, .dtype = dtype}, g);
    const Variable x = noise({4, 5, 7}, 1, dtype), states = noise({4, 6, 10}, 2, dtype), start = zeros({4, 19}, dtype);
    const EncodedStates source{states, select(states, 1, 0), Mask::valid_lengths({6, 1, 4, 5})};
    const auto check = [&](const auto& one) {
      const auto memory = one.remember(source);
      const DecoderOutput all = one(x, start, memory);
      Variable h = start;
      for (std::int64_t t = 0; t < 5; ++t) {
        const DecoderStep taken = one.step(select(x, 1, t), h, memory, t);
        h = taken.h;
        CHECK(identical(h.value(), select(all.states, 1, t).value()));
        CHECK(identical(taken.context.value(), select(all.contexts, 1, t).value()));
        CHECK(taken.weights.defined() == all.weights.defined());
        if (taken.weights.defined()) CHECK(identical(taken.weights.value(), select(all.weights, 1, t).value()));
      }
    };
    check(decoder);
    check(plain);
  }
}

TEST_CASE("attention decoder: padding of the source weighs nothing, and NaN in it reaches nothing") {
  Generator g(1);
  const Given given;
  const auto decoder = decoder_with(additive(g), g);
  const auto run = [&](const Variable& states) {
    return decoder(given.x, given.h, decoder.remember({.states = states, .mask = Mask::valid_lengths({5, 2})}));
  };
  const auto [states, contexts, weights] = run(given.states);
  CHECK(allclose(sum(weights, -1).value(), ones({2, 3}, DType::f64), 1e-14, 0));
  CHECK(max(abs(slice(select(weights, 0, 1), -1, 2))).item() == 0);

  const Tensor padded = less(reshape(tensor({1, 1, 1, 1, 1, 1, 1, 0, 0, 0}), {2, 5, 1}), 0.5);
  const Variable poisoned = parameter(where(to(padded, DType::f64), full({}, nan, DType::f64), given.states.value()));
  const DecoderOutput same = run(poisoned);
  CHECK(identical(same.states.value(), states.value()));
  CHECK(identical(same.weights.value(), weights.value()));
  const Variable w_k = decoder.score->as<AdditiveScore>().w_k.weight;
  const auto clean = grad({sum(states)}, {given.states, w_k}), dirty = grad({sum(same.states)}, {poisoned, w_k});
  for (const std::size_t i : {0, 1}) CHECK(identical(clean[i].value(), dirty[i].value()));
}

TEST_CASE("decoders: gradients of all that goes in, and of every parameter, to second order") {
  Generator g(1);
  const std::vector<Variable> in{noise({2, 3, 2}, 1), noise({2, 2, 2}, 2), noise({2, 2}, 3)};  // states, x, h
  const auto read = [](auto& m, const auto& v) {
    const EncodedStates source{v[0], select(v[0], 1, 1), Mask::valid_lengths({3, 2})};
    const DecoderOutput all = m(v[1], v[2], m.remember(source));
    return all.weights.defined() ? cat({flatten(all.states), flatten(all.contexts), flatten(all.weights)}, 0)
                                 : all.states;
  };
  const DecoderOptions options{.in = 2, .hidden = 2, .memory = 2, .dtype = DType::f64};
  check_gradients("attention",
                  AttentionDecoder(AdditiveScore({.query_size = 2, .key_size = 2, .hidden = 2, .dtype = DType::f64}, g),
                                   ResetGate::after_product, options, g),
                  in, read);
  check_gradients("summary", SummaryDecoder(ResetGate::before_product, options, g), in, read);

  DecoderOptions two = options;
  two.layers = 2;
  const std::vector<Variable> deep{in[0], in[1], noise({2, 2, 2}, 4)};
  check_gradients("two layers",
                  AttentionDecoder(AdditiveScore({.query_size = 2, .key_size = 2, .hidden = 2, .dtype = DType::f64}, g),
                                   ResetGate::after_product, two, g),
                  deep, read);
  check_gradients("summary, two layers", SummaryDecoder(ResetGate::before_product, two, g), deep, read);
}

}  // namespace regard::nn

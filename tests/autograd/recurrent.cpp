// A sequence as one operation is the composed loop of its cell: value, gradients, and gradients of gradients.
#include "tests/autograd/twins.h"

namespace regard {
namespace {

using Sequence = std::function<Variable(const std::vector<Variable>& in, const SequenceOptions& options)>;

// An operation and its twin, for G gates and so many initial states.
struct Pair {
  const char* name;
  std::int64_t gates, states;
  Sequence fused, composed;
};

std::vector<Pair> pairs_of_all() {
  std::vector<Pair> all;
  for (const RnnActivation f : {RnnActivation::tanh, RnnActivation::relu})
    all.push_back({"rnn", 1, 1, [=](const auto& in, const auto& o) { return rnn(in[0], in[1], in[2], in[3], f, o); },
                   [=](const auto& in, const auto& o) { return rnn_composed(in[0], in[1], in[2], in[3], f, o); }});
  constexpr auto r = ResetGate::after_product;  // the other is composed
  all.push_back({"gru", 3, 1, [](const auto& in, const auto& o) { return gru(in[0], in[1], in[2], in[3], r, o); },
                 [](const auto& in, const auto& o) { return gru_composed(in[0], in[1], in[2], in[3], r, o); }});
  all.push_back({"lstm", 4, 2, [](const auto& in, const auto& o) { return lstm(in[0], in[1], in[2], in[3], in[4], o); },
                 [](const auto& in, const auto& o) { return lstm_composed(in[0], in[1], in[2], in[3], in[4], o); }});
  return all;
}

// Projected inputs of L steps and B sequences, initial states, weight and bias, for a state of H numbers.
std::vector<Tensor> inputs(const Pair& pair, std::int64_t length, std::int64_t batch, std::int64_t hidden,
                           DType dtype) {
  std::vector<Tensor> values{noise({length, batch, pair.gates * hidden}, 1, dtype)};
  for (std::int64_t i = 0; i < pair.states; ++i) values.push_back(noise({batch, hidden}, 2, dtype));
  const double size = 1 / std::sqrt(static_cast<double>(hidden));
  values.push_back(noise({pair.gates * hidden, hidden}, 3, dtype, size));
  values.push_back(noise({pair.gates * hidden}, 4, dtype));
  return values;
}

void check(const Pair& pair, const std::vector<Tensor>& values, const SequenceOptions& options, double tolerance) {
  INFO(pair.name << ", reverse " << options.reverse << ", lengths " << options.lengths.defined());
  require_same([&](const auto& in) { return pair.fused(in, options); },
               [&](const auto& in) { return pair.composed(in, options); }, values, tolerance);
}

}  // namespace

TEST_CASE("recurrent: a sequence is its twin, in every direction, with lengths and without") {
  for (const Pair& pair : pairs_of_all())
    for (const std::int64_t hidden : {1, 5, 16, 70})
      for (const bool reverse : {false, true}) {
        const std::vector<Tensor> values = inputs(pair, 4, 3, hidden, DType::f64);
        check(pair, values, {.reverse = reverse}, 1e-12);
        check(pair, values, {.lengths = tensor({4, 0, 2}, DType::i64), .reverse = reverse}, 1e-12);
        check(pair, inputs(pair, 4, 3, hidden, DType::f32), {.reverse = reverse}, 2e-5);
      }
}

TEST_CASE("recurrent: wide states, many sequences, sequences of one step") {
  for (const Pair& pair : pairs_of_all()) {
    check(pair, inputs(pair, 2, 3, 300, DType::f64), {}, 1e-12);
    check(pair, inputs(pair, 2, 131, 17, DType::f64), {}, 1e-12);
    check(pair, inputs(pair, 1, 2, 3, DType::f64), {.reverse = true}, 1e-12);
  }
}

TEST_CASE("recurrent: the initial state is one of the states, the first or, reversed, the last") {
  for (const Pair& pair : pairs_of_all())
    for (const bool reverse : {false, true}) {
      const std::vector<Tensor> values = inputs(pair, 4, 3, 5, DType::f64);
      const std::vector<Variable> in(values.begin(), values.end());
      const Variable states = pair.fused(in, {.reverse = reverse});
      const Tensor of_h = pair.states == 1 ? states.value() : select(states.value(), 0, 0);
      CHECK(of_h.shape() == Shape{5, 3, 5});
      CHECK(identical(select(of_h, 0, reverse ? -1 : 0), values[1]));
    }
}

TEST_CASE("recurrent: NaN in padding reaches no gradient, nor where gradients are differentiated") {
  for (const Pair& pair : pairs_of_all())
    for (const bool reverse : {false, true})
      for (const bool twice : {false, true}) {
        INFO(pair.name << ", reverse " << reverse << ", create_graph " << twice);
        std::vector<Tensor> values = inputs(pair, 3, 2, 4, DType::f64);
        const SequenceOptions options{.lengths = tensor({3, 0}, DType::i64), .reverse = reverse};
        const auto gradients = [&] {
          std::vector<Variable> in;
          for (const Tensor& value : values) in.push_back(parameter(value));
          return grad({sum(square(pair.fused(in, options)))}, in, {.create_graph = twice});
        };
        const auto clean = gradients();
        const Tensor second = reshape(arange(2), {1, 2, 1});
        values[0] = where(expand(equal(second, 1.0), values[0].shape()), full({}, nan, DType::f64), values[0]);
        const auto dirty = gradients();
        for (std::size_t i = 0; i < clean.size(); ++i) CHECK(identical(clean[i].value(), dirty[i].value()));
      }
}

namespace {

// Inputs of a decoder: L steps of B sequences, a state of H, K keys of D features, values of M.
struct DecoderSizes {
  std::int64_t length, batch, hidden, keys, features, values;
};
std::vector<Tensor> inputs(const DecoderSizes& n, DType dtype) {
  std::uint64_t seed = 1;
  const auto draw = [&](const Shape& shape, double deviation = 1) { return noise(shape, seed++, dtype, deviation); };
  return {
      draw({n.length, n.batch, 3 * n.hidden}), draw({n.batch, n.hidden}),           draw({n.batch, n.keys, n.features}),
      draw({n.batch, n.keys, n.values}),       draw({n.features, n.hidden}, 0.3),   draw({n.features}, 0.3),
      draw({3 * n.hidden, n.values}, 0.3),     draw({3 * n.hidden, n.hidden}, 0.3), draw({3 * n.hidden})};
}

void check_decoder(const std::vector<Tensor>& values, const Tensor& keep, double tolerance) {
  const auto with = [&](const auto& decode) {
    return [&, decode](const std::vector<Variable>& in) {
      const LookingSteps all =
          decode(in[0], in[1], AdditiveMemory{in[2], in[3], keep},
                 AdditiveDecoderWeights{in[4], in[5], in[6], in[7], in[8]}, ResetGate::after_product);
      return cat({flatten(all.states), flatten(all.contexts), flatten(all.weights)}, 0);
    };
  };
  const auto fused = with([](const auto&... in) { return additive_decoder(in...); });
  const auto composed = with([](const auto&... in) { return additive_decoder_composed(in...); });
  require_alike(fused, composed, values, tolerance);
}

}  // namespace

TEST_CASE("recurrent: a decoder that looks is its twin, whatever it may look at") {
  for (const DecoderSizes& n : {DecoderSizes{3, 2, 4, 5, 3, 6}, DecoderSizes{1, 1, 1, 1, 1, 1},
                                DecoderSizes{4, 67, 17, 9, 130, 33}, DecoderSizes{2, 3, 70, 1, 16, 5}}) {
    INFO(n.batch << " sequences, " << n.keys << " keys of " << n.features);
    const Tensor keep = to(less(noise({n.batch, n.keys}, 30), 0.8), DType::f64);  // none, for some sequences
    check_decoder(inputs(n, DType::f64), ones({}, DType::f64), 1e-12);
    check_decoder(inputs(n, DType::f64), keep, 1e-12);
    check_decoder(inputs(n, DType::f32), to(keep, DType::f32), 3e-5);
  }
}

TEST_CASE("recurrent: a decoder that may look nowhere finds nothing, and passes no gradient on") {
  const DecoderSizes n{2, 2, 3, 4, 2, 5};
  std::vector<Variable> in;
  for (const Tensor& value : inputs(n, DType::f64)) in.push_back(parameter(value));
  const Tensor keep = tensor({{1, 1, 0, 0}, {0, 0, 0, 0}}, DType::f64);
  const auto run = [&] {
    return additive_decoder(in[0], in[1], {in[2], in[3], keep}, {in[4], in[5], in[6], in[7], in[8]},
                            ResetGate::after_product);
  };
  const LookingSteps clean = run();
  CHECK(max(abs(select(clean.contexts, 1, 1))).item() == 0);
  CHECK(max(abs(select(clean.weights, 1, 1))).item() == 0);
  const auto expected = grad({sum(square(clean.states))}, in, {.keep_graph = true});
  CHECK(max(abs(select(expected[2], 0, 1))).item() == 0);
  const Tensor hidden = equal(unsqueeze(keep, -1), 0.0);
  for (const std::size_t i : {2, 3}) in[i] = parameter(where(hidden, full({}, nan, DType::f64), in[i].value()));
  const LookingSteps dirty = run();
  CHECK(identical(dirty.states.value(), clean.states.value()));
  const auto found = grad({sum(square(dirty.states))}, in),
             twin = [&] { return grad({sum(square(run().states))}, in, {.create_graph = true}); }();
  for (std::size_t i = 0; i < in.size(); ++i) {
    INFO("gradient of input " << i);
    CHECK(identical(found[i].value(), expected[i].value()));
    CHECK(allclose(twin[i].value(), expected[i].value(), 1e-13, 1e-13));
  }
}

}  // namespace regard

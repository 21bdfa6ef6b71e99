// How far is it from an output to an input n positions away? In layers, and in operations of the recorded graph.
#include "nn/all.h"
#include "nn/tools/explain/paths.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <algorithm>
#include <set>

namespace regard::nn {
namespace {

// How many positions the first output depends on: those where its derivative is not zero. f: (1, 1, L) → (1, 1, L)
std::int64_t seen_by_the_first(const std::function<Variable(const Variable&)>& f, std::int64_t length) {
  const Variable x = parameter(noise({1, 1, length}));
  const auto slopes = to_vector(grad({sum(select(f(x), 2, 0))}, {x})[0].value());
  return std::ranges::count_if(slopes, [](double slope) { return slope != 0; });
}

// Layers of windows of three, each with `growth` times the dilation of the one before.
Variable convolve(Variable x, int layers, std::int64_t growth) {
  Generator g(1);
  for (std::int64_t layer = 0, dilation = 1; layer < layers; ++layer, dilation *= growth)
    x = Conv1d({.in = 1, .out = 1, .kernel = 3, .padding = dilation, .dilation = dilation, .dtype = DType::f64}, g)(x);
  return x;
}

std::vector<Variable> tokens(std::int64_t count) {
  std::vector<Variable> x;
  for (std::int64_t i = 0; i < count; ++i) x.push_back(parameter(noise({1, 4}, static_cast<std::uint64_t>(i) + 1)));
  return x;
}

// From the last state of a recurrent network that has read n tokens to the first token.
template <class Cell>
std::int64_t path_through_states(const Cell& cell, std::int64_t n) {
  const std::vector<Variable> x = tokens(n);
  Variable h = zeros({1, 4}, DType::f64);
  for (const Variable& token : x) h = cell(token, h);
  return path_length(h, x[0]);
}

}  // namespace

TEST_CASE("path length: a recurrent network takes O(n) operations, attention over its inputs as many for any n") {
  Generator g(1);
  const RNNCell rnn(RnnActivation::tanh, {.in = 4, .hidden = 4, .dtype = DType::f64}, g);
  const GRUCell gru(ResetGate::after_product, {.in = 4, .hidden = 4, .dtype = DType::f64}, g);
  const auto grows_evenly = [](const auto& path) {
    const std::int64_t step = path(2) - path(1);
    CHECK(step > 0);
    for (const std::int64_t n : {4, 16, 64}) CHECK(path(n) == path(1) + (n - 1) * step);
  };
  grows_evenly([&](std::int64_t n) { return path_through_states(rnn, n); });
  grows_evenly([&](std::int64_t n) { return path_through_states(gru, n); });

  const auto attention_path = [](std::int64_t n) {
    const std::vector<Variable> x = tokens(n);
    const Variable all = stack(x, 1);  // (1, n, 4)
    return path_length(Attention(ScaledDotProduct{})(slice(all, 1, -1), all, all).output, x[0]);
  };
  for (const std::int64_t n : {2, 4, 16, 64}) CHECK(attention_path(n) == attention_path(1));
}

// A decoder's output depends on the first letter through the encoder's states one by one, or by one look.
TEST_CASE("path length: an attention decoder is as near to every state of the encoder, at every step") {
  Generator g(1);
  const AttentionDecoder decoder(AdditiveScore({.query_size = 4, .key_size = 4, .hidden = 4, .dtype = DType::f64}, g),
                                 ResetGate::after_product, {.in = 4, .hidden = 4, .memory = 4, .dtype = DType::f64}, g);
  const std::vector<Variable> states = tokens(9);
  const auto memory = decoder.remember({.states = stack(states, 1)});
  Variable h = zeros({1, 4}, DType::f64);
  std::set<std::int64_t> lengths;
  for (std::int64_t t = 0; t < 5; ++t) {
    h = decoder.step(noise({1, 4}), h, memory, t).h;
    for (const Variable& state : states) lengths.insert(path_length(h, state));
  }
  CHECK(lengths.size() == 1);
}

// What is far away moves the final state less and less: by a factor for each step. Attention weighs it as any other.
TEST_CASE("path length: what a recurrent network forgets, attention keeps") {
  Generator g(2);
  const RNNCell cell(RnnActivation::tanh, {.in = 4, .hidden = 32, .dtype = DType::f64}, g);
  const auto effect = [&](std::int64_t n) {
    const std::vector<Variable> x = tokens(n);
    Variable h = zeros({1, 32}, DType::f64);
    for (const Variable& token : x) h = cell(token, h);
    return max(abs(grad({sum(h)}, {x[0]})[0])).item();
  };
  CHECK(effect(20) < effect(10) / 10);
  CHECK(effect(40) < effect(20) / 100);
  const auto seen = [](std::int64_t n) {
    const std::vector<Variable> x = tokens(n);
    const Variable all = stack(x, 1);
    return max(abs(grad({sum(Attention(AveragePooling{})(slice(all, 1, -1), all, all).output)}, {x[0]})[0])).item();
  };
  for (const double n : {10, 20, 40}) CHECK(seen(static_cast<std::int64_t>(n)) == Approx(1 / n));
}

TEST_CASE("path length: windows of k take O(n/k) layers, dilated ones O(log_k n), attention one") {
  for (const int layers : {1, 2, 3}) {
    CHECK(seen_by_the_first([&](const auto& x) { return convolve(x, layers, 1); }, 27) == 1 + layers);
    const double reach = (std::pow(3, layers) + 1) / 2;  // 1 + the sum of the dilations 1, 3, 9, …
    CHECK(seen_by_the_first([&](const auto& x) { return convolve(x, layers, 3); }, 27) == reach);
  }
  const auto attend = [](const Variable& x) {
    const Variable tokens = transpose(x);  // (1, L, 1)
    return transpose(Attention(ScaledDotProduct{})(tokens, tokens, tokens).output);
  };
  CHECK(seen_by_the_first(attend, 27) == 27);
}

}  // namespace regard::nn

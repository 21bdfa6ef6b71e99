// A gradient that goes back through a recurrent model, step by step, until its numbers become subnormal; and one that
// attention hands to each step directly.
#include "examples/lab/functions.h"
#include "nn/all.h"

using namespace regard;
using lab::Answer, lab::answer;

// The gradient of the sum of the last output with respect to each of so many inputs, its largest element, the last
// input first: of an RNN, of a GRU, and of attention from the last input to all. In f32, by cells that have learned
// nothing, with recurrent weights `scale` times as large as at the start.
LAB int fade(int count, double scale, int seed) {
  return answer([&](Answer& out) {
    constexpr std::int64_t hidden = 16, features = 4;
    Generator random(static_cast<std::uint64_t>(seed));
    nn::RNNCell rnn(RnnActivation::tanh, {.in = features, .hidden = hidden}, random);
    nn::GRUCell gru(ResetGate::after_product, {.in = features, .hidden = hidden}, random);
    for (Variable* weight : {&rnn.weights.weight_hh, &gru.weights.weight_hh}) assign(*weight, weight->value() * scale);
    std::vector<Variable> inputs;
    for (int t = 0; t < count; ++t) inputs.push_back(parameter(normal({1, features}, random)));
    const auto lengths = [&](const Variable& last) {
      const std::vector<Variable> slopes = grad({sum(last)}, inputs);
      for (int t = count - 1; t >= 0; --t) out.add(max(abs(slopes[static_cast<std::size_t>(t)].value())));
    };
    Variable h = zeros({1, hidden}), state = h;
    for (const Variable& x : inputs) h = rnn(x, h);
    lengths(h);
    for (const Variable& x : inputs) state = gru(x, state);
    lengths(state);
    const Variable all = stack(inputs, 1);
    lengths(nn::Attention(nn::ScaledDotProduct{})(slice(all, 1, count - 1, count), all, all).output);
  });
}

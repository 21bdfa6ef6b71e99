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
    const Variable words = parameter(normal({count, 1, features}, random)), all = squeeze(words, 1);
    const auto slopes = [&](const Variable& last) {
      out.add(flip(max(abs(grad({sum(last)}, {words})[0].value()), -1), 0));
    };
    slopes(rnn.run(words, {zeros({1, hidden})}, {}).final[0]);
    slopes(gru.run(words, {zeros({1, hidden})}, {}).final[0]);
    slopes(nn::Attention(nn::ScaledDotProduct{})(slice(all, 0, count - 1, count), all, all).output);
  });
}

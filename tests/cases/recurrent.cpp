#include "tests/cases/case.h"

namespace regard::cases {
namespace {

// The inputs of a sequence of 3 steps, 2 sequences and a state of 2: projected, one or two initial states, weight and
// bias. They are compared in f32, too, so gates are not driven far, unless they are stretched: near ±1 the slope
// 1 − tanh² of a gate is the difference of two numbers that are nearly the same, and the last place of a float becomes
// many of the gradient.
std::vector<InputSpec> inputs(std::int64_t gates, std::size_t states = 1) {
  std::vector<InputSpec> specs{around({3, 2, gates * 2}, 0.9)};
  specs.insert(specs.end(), states, around({2, 2}, 0.9));
  specs.push_back(around({gates * 2, 2}, 0.9));
  specs.push_back(around({gates * 2}, 0.5));
  return specs;
}

Tensor lengths() { return tensor({3, 1}, DType::i64); }

void add_gru(Table& t, const char* what, ResetGate reset, const SequenceOptions& options) {
  t.add("gru", what, inputs(3), [=](const In& in) { return gru(in[0], in[1], in[2], in[3], reset, options); });
}

// 2 steps of 2 sequences that look at 3 keys of 2 features, with values of 3.
void add_decoder(Table& t, const char* what, ResetGate reset, const Nested& keep) {
  const auto some = [](const Shape& shape) { return around(shape, 0.9); };
  t.add("additive_decoder", what,
        {some({2, 2, 6}), some({2, 2}), some({2, 3, 2}), some({2, 3, 3}), some({2, 2}), some({2}), some({6, 3}),
         some({6, 2}), some({6})},
        [=](const In& in) {
          const AdditiveMemory memory{in[2], in[3], tensor(keep, in[0].dtype())};
          const auto [states, contexts, weights] =
              additive_decoder(in[0], in[1], memory, {in[4], in[5], in[6], in[7], in[8]}, reset);
          return cat({flatten(states), flatten(contexts), flatten(weights)}, 0);
        });
}

// 3 steps of 2 heads with keys of 2 features and values of 3; q, k, v, the state, then β and log a if they are given.
void add_delta(Table& t, const char* what, bool corrects, const Shape& log_decay = {}) {
  const auto some = [](const Shape& shape) { return around(shape, 0.9); };
  std::vector<InputSpec> specs{some({2, 3, 2}), some({2, 3, 2}), some({2, 3, 3}), some({2, 2, 3})};
  if (corrects) specs.push_back(some({2, 3}));
  const bool fades = log_decay.rank() > 0;
  if (fades) specs.push_back(between(log_decay, -1.2, -0.1));
  t.add("delta_rule", what, specs, [=](const In& in) {
    const auto [output, state] = delta_rule(
        in[0], in[1], in[2],
        {.beta = corrects ? in[4] : Variable(), .log_decay = fades ? in.back() : Variable(), .state = in[3]});
    return cat({output, state}, -2);
  });
}

}  // namespace

void add_recurrent(Table& t) {
  // Far enough from 0 that no product with the weight, and no relu's kink, is reached from there.
  const std::vector<InputSpec> off_the_kink{away_from({3, 2, 2}, 0, 4), between({2, 2}, -1, 1),
                                            between({2, 2}, -0.3, 0.3), between({2}, -0.5, 0.5)};
  t.add("rnn", "tanh", inputs(1), [](const In& in) { return rnn(in[0], in[1], in[2], in[3], RnnActivation::tanh); });
  t.add("rnn", "tanh-reverse-lengths", inputs(1), [](const In& in) {
    return rnn(in[0], in[1], in[2], in[3], RnnActivation::tanh, {.lengths = lengths(), .reverse = true});
  });
  t.add_kinked("rnn", "relu", off_the_kink,
               [](const In& in) { return rnn(in[0], in[1], in[2], in[3], RnnActivation::relu); });
  add_gru(t, "reset-after", ResetGate::after_product, {});
  add_gru(t, "reset-after-lengths", ResetGate::after_product, {.lengths = lengths()});
  add_gru(t, "reset-after-reverse-lengths", ResetGate::after_product, {.lengths = lengths(), .reverse = true});
  add_gru(t, "reset-before", ResetGate::before_product, {});
  add_gru(t, "reset-before-lengths", ResetGate::before_product, {.lengths = lengths()});
  add_gru(t, "reset-before-reverse", ResetGate::before_product, {.reverse = true});
  t.add("lstm", "steps", inputs(4, 2), [](const In& in) { return lstm(in[0], in[1], in[2], in[3], in[4]); });
  t.add("lstm", "lengths", inputs(4, 2),
        [](const In& in) { return lstm(in[0], in[1], in[2], in[3], in[4], {.lengths = lengths()}); });
  t.add("lstm", "reverse-lengths", inputs(4, 2),
        [](const In& in) { return lstm(in[0], in[1], in[2], in[3], in[4], {.lengths = lengths(), .reverse = true}); });
  add_decoder(t, "all-keys", ResetGate::after_product, 1);
  add_decoder(t, "some-keys", ResetGate::after_product, {{1, 1, 0}, {0, 1, 1}});
  add_decoder(t, "one-key-for-all", ResetGate::before_product, {{1, 1, 1}, {0, 0, 1}});
  add_delta(t, "linear", false);
  add_delta(t, "gated", false, {2, 3});
  add_delta(t, "gated-per-feature", false, {2, 3, 2});
  add_delta(t, "delta", true);
  add_delta(t, "gated-delta", true, {2, 3});
  add_delta(t, "gated-delta-per-feature", true, {2, 3, 2});
}

}  // namespace regard::cases

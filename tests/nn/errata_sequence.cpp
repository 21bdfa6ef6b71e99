// Mistakes that explanations of sequence models make, and what is right instead; examples/book/errata.md lists them.
// Most are tested beside the thing itself: norms in layers.cpp, residuals and leaks in transformer.cpp, rotations in
// positions.cpp and published.cpp, lengths of paths in path_length.cpp, the query of a decoder in
// attention_decoder.cpp, the state in recurrent.cpp.
#include "examples/published/published.h"
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {
namespace {

// Sequences that count on in a ring of six, from each of its tokens: 2 3 4 5 0 1. The first token is a matter of luck,
// log 6 nats, and all others follow. So no model that does not see its answer has a smaller loss than log(6)/7.
constexpr std::int64_t ring = 6, begin_token = 6, end_token = 7;
const double least_loss = std::log(6.0) / 7;

PaddedTokens ring_sequences() {
  Sequences sequences;
  for (std::int64_t first = 0; first < ring; ++first) {
    Tokens one;
    for (std::int64_t i = 0; i < ring; ++i) one.push_back((first + i) % ring);
    sequences.push_back(one);
  }
  return pad_right(sequences, 0);
}

struct Trained {
  Gpt model;
  double loss;
};
Trained trained_on(const Tensor& input, const Tensor& target) {
  Generator g(1);
  Gpt model = make_gpt({.model = 16, .layers = 1, .heads = 2, .vocabulary = 8, .longest = 8}, g);
  optim::Adam optimizer(model, {.learning_rate = 1e-2});
  double loss = 0;
  for (int step = 0; step < 300; ++step) {
    const Variable now = cross_entropy_loss(model(input), target);
    optimizer.zero_grad();
    now.backward();
    optimizer.step();
    loss = now.item();
  }
  return {model, loss};
}

// Of the six sequences, how many the model writes to the end, given their first token.
int written_right(const Gpt& model) {
  int right = 0;
  for (std::int64_t first = 0; first < ring; ++first) {
    Tokens rest;
    for (std::int64_t i = 1; i < ring; ++i) rest.push_back((first + i) % ring);
    right += generate(writer(model), {{begin_token, first}}, {.tokens = 20, .end = end_token})[0] == rest;
  }
  return right;
}

}  // namespace

// The leaking model has the better loss by far, and cannot write a single sequence.
TEST_CASE("errata: without the shift the loss is better than it can be, and what is written is wrong") {
  const TeacherForced forced =
      teacher_forcing(ring_sequences(), {.begin = begin_token, .end = end_token, .padding = 0});
  const Trained shifted = trained_on(forced.input, forced.target), leaking = trained_on(forced.target, forced.target);
  CHECK(shifted.loss > least_loss - 1e-6);
  CHECK(shifted.loss < least_loss + 0.05);
  CHECK(written_right(shifted.model) == ring);
  CHECK(leaking.loss < least_loss / 4);
  CHECK(written_right(leaking.model) == 0);
}

TEST_CASE("errata: a network that reads in both directions looks ahead") {
  const auto looks_ahead = [](bool bidirectional) {
    Generator g(2);
    GRU gru(ResetGate::after_product, {.in = 3, .hidden = 4, .bidirectional = bidirectional, .dtype = DType::f64}, g);
    const Variable x = parameter(noise({1, 5, 3}));
    const Variable y = gru(x).output;
    bool ahead = false;
    for (std::int64_t i = 0; i < 4; ++i) {
      const Tensor slopes = grad({sum(square(select(y, 1, i)))}, {x}, {.keep_graph = true})[0].value();
      CHECK(max(abs(slice(slopes, 1, 0, i + 1))).item() > 0);
      ahead = ahead || max(abs(slice(slopes, 1, i + 1))).item() > 0;
    }
    return ahead;
  };
  CHECK_FALSE(looks_ahead(false));
  CHECK(looks_ahead(true));
}

// The network of the book that counts things: ½·ln 2 for a thing, 3/2·ln 2 for the state. Both texts end with the same
// two words.
TEST_CASE("errata: a recurrent network answers to all that it has read, not to the last token alone") {
  Generator g(1);
  RNN rnn(RnnActivation::tanh, {.in = 2, .hidden = 1, .bias = false, .dtype = DType::f64}, g);
  assign(rnn.stack.cells[0].weights.weight_ih, std::log(2) * f64({{0.5, 0}}));
  assign(rnn.stack.cells[0].weights.weight_hh, std::log(2) * f64({{1.5}}));
  const auto states = [&](const Nested& words) { return squeeze(rnn(f64(words)).output.value(), 1); };
  const Nested birds{1, 0}, love{0, 1}, singing{1, 1};
  CHECK(allclose(states({birds, love, singing}), f64({1.0 / 3, 1.0 / 3, 3.0 / 5}), 1e-14));
  CHECK(allclose(states({love, love, singing}), f64({0, 0, 1.0 / 3}), 1e-14));
}

TEST_CASE("errata: a table that is fixed is not learned") {
  Generator g(3);
  const auto parameters_of = [&](PositionKind kind) {
    TokenEmbedding embedding({.vocabulary = 4, .size = 6, .positions = kind, .longest = 5}, g);
    return parameter_count(embedding);
  };
  CHECK(parameters_of(PositionKind::none) == 4 * 6);
  CHECK(parameters_of(PositionKind::sinusoidal) == 4 * 6);
  CHECK(parameters_of(PositionKind::learned) == 4 * 6 + 5 * 6);
}

}  // namespace regard::nn

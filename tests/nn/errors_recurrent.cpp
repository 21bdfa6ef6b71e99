// What recurrent networks and decoders say of bad options and inputs.
#include "nn/all.h"
#include "tests/tensor/error_case.h"

namespace regard::nn {
namespace {

const std::string made = " (make it with parameter(…), or from a tensor)";

Tensor whole(const Nested& numbers) { return tensor(numbers, DType::i64); }

}  // namespace

TEST_CASE("errors: sequences of the operations") {
  const Variable p = zeros({3, 2, 12}), h = zeros({2, 4}), w = zeros({12, 4}), b = zeros({12});
  const auto run = [&](const Variable& projected, const Variable& initial, const Variable& weight, const Variable& bias,
                       const Tensor& lengths = {}) {
    return [=] { gru(projected, initial, weight, bias, ResetGate::after_product, {.lengths = lengths}); };
  };
  check_errors({
      {run(p, h, zeros({8, 4}), zeros({8})), "ShapeError", "gru: weight (8, 4) and bias (8): needs (3H, H) and (3H)"},
      {run(p, h, w, h), "ShapeError", "gru: weight (12, 4) and bias (2, 4): needs (3H, H) and (3H)"},
      {run(p, h, zeros({0, 0}), zeros({0})), "ShapeError", "gru: weight (0, 0) and bias (0): needs (3H, H) and (3H)"},
      {run(zeros({3, 2, 4}), h, w, b), "ShapeError", "gru: projected (3, 2, 4) for a weight (12, 4): needs (L, B, 12)"},
      {run(h, h, w, b), "ShapeError", "gru: projected (2, 4) for a weight (12, 4): needs (L, B, 12)"},
      {run(p, zeros({3, 4}), w, b), "ShapeError",
       "gru: an initial state (3, 4) for projected (3, 2, 12): needs (B, H), (2, 4)"},
      {run(p, zeros({2, 4}, DType::f64), w, b), "DTypeError",
       "gru: f32 (3, 2, 12) and f64 (2, 4) do not mix (convert one of them with to(x, DType::f32))"},
      {run(p, h, w, b, whole({1})), "ShapeError", "gru: lengths (1) for 2 sequences: needs one for each, (2)"},
      {run(p, h, w, b, whole({1, 4})), "ValueError", "gru: sequence 1 cannot have 4 real steps: there are 3"},
      {run(p, h, w, b, whole({-1, 2})), "ValueError", "gru: sequence 0 cannot have -1 real steps: there are 3"},
      {run(p, h, w, b, zeros({2})), "DTypeError", "gru: indexes must be i64, got f32 (2)"},
      {[&] { rnn(p, h, w, b, RnnActivation::tanh); }, "ShapeError",
       "rnn: weight (12, 4) and bias (12): needs (1H, H) and (1H)"},
      {[&] { lstm(p, h, h, w, b); }, "ShapeError", "lstm: weight (12, 4) and bias (12): needs (4H, H) and (4H)"},
      {[&] {
         lstm(zeros({3, 2, 16}), h, zeros({4}), zeros({16, 4}), zeros({16}));
       },
       "ShapeError", "lstm: an initial state (4) for projected (3, 2, 16): needs (B, H), (2, 4)"},
  });
  const auto from = [](RecurrentCell cell, std::int64_t gates, const std::vector<Tensor>& initial) {
    return [=] {
      const Tensor projected = zeros({3, 2, gates * 4}), weight = zeros({gates * 4, 4}), bias = zeros({gates * 4});
      sequence(cell, {projected, initial, weight, bias}, {}, false);
    };
  };
  const Tensor state = zeros({2, 4});
  check_errors({
      {from(RecurrentCell::lstm, 4, {state}), "ShapeError", "lstm: 1 initial states: needs 2"},
      {from(RecurrentCell::gru, 3, {}), "ShapeError", "gru: 0 initial states: needs 1"},
      {from(RecurrentCell::gru, 3, {state, state}), "ShapeError", "gru: 2 initial states: needs 1"},
      {from(RecurrentCell::rnn_relu, 1, {state, state}), "ShapeError", "rnn: 2 initial states: needs 1"},
  });
}

TEST_CASE("errors: a decoder that looks") {
  const Variable p = zeros({3, 2, 12}), h = zeros({2, 4}), w = zeros({12, 4}), b = zeros({12});
  const Variable keys = zeros({2, 5, 7}), values = zeros({2, 5, 6}), query = zeros({7, 4}), score = zeros({7}),
                 context = zeros({12, 6});
  const Tensor keep = ones({2, 5});
  const auto run = [&](const AdditiveMemory& memory, const Variable& w_q, const Variable& w_s, const Variable& w_c) {
    return [=] { additive_decoder(p, h, memory, {w_q, w_s, w_c, w, b}, ResetGate::after_product); };
  };
  check_errors({
      {run({zeros({3, 5, 7}), values, keep}, query, score, context), "ShapeError",
       "additive_decoder: keys (3, 5, 7) and values (2, 5, 6) for 2 sequences: needs (B, K, D) and (B, K, M)"},
      {run({keys, zeros({2, 4, 6}), keep}, query, score, context), "ShapeError",
       "additive_decoder: keys (2, 5, 7) and values (2, 4, 6) for 2 sequences: needs (B, K, D) and (B, K, M)"},
      {run({keys, values, keep}, zeros({4, 7}), score, context), "ShapeError",
       "additive_decoder: W_q (4, 7) and w (7) for keys (2, 5, 7): needs (D, H), (7, 4), and (D)"},
      {run({keys, values, keep}, query, zeros({1, 7}), context), "ShapeError",
       "additive_decoder: W_q (7, 4) and w (1, 7) for keys (2, 5, 7): needs (D, H), (7, 4), and (D)"},
      {run({keys, values, keep}, query, score, zeros({6, 12})), "ShapeError",
       "additive_decoder: W_c (6, 12) for values (2, 5, 6): needs (3H, M), (12, 6)"},
      {run({keys, values, ones({2, 1, 5})}, query, score, context), "ShapeError",
       "additive_decoder: keep (2, 1, 5) does not broadcast to (B, K), (2, 5)"},
      {run({keys, values, ones({2, 5}, DType::f64)}, query, score, context), "DTypeError",
       "additive_decoder: f32 (3, 2, 12) and f64 (2, 5) do not mix (convert one of them with to(x, DType::f32))"},
  });
}

TEST_CASE("errors: recurrent networks") {
  Generator g(1);
  GRU gru(ResetGate::after_product, {.in = 3, .hidden = 4, .layers = 2, .bidirectional = true}, g);
  LSTM lstm({.in = 3, .hidden = 4}, g);
  const GRUCell cell(ResetGate::after_product, {.in = 3, .hidden = 4}, g);
  const LSTMCell lstm_cell({.in = 3, .hidden = 4}, g);
  const Variable x = zeros({2, 5, 3}), h = zeros({2, 4}), none;
  check_errors({
      {[&] { LSTM({.in = 0, .hidden = 4}, g); }, "ValueError", "LSTM: in = 0 must be 1 or more"},
      {[&] { LSTM({.in = 3, .hidden = 4, .layers = 0}, g); }, "ValueError", "LSTM: layers = 0 must be 1 or more"},
      {[&] { GRU(ResetGate::after_product, {.in = 3, .hidden = 4, .dropout = 0.1}, g); }, "ValueError",
       "GRU: dropout = 0.1 is between layers, and there is one"},
      {[&] { RNN(RnnActivation::relu, {.in = 3, .hidden = 4, .layers = 2, .dropout = 1}, g); }, "ValueError",
       "Dropout: p = 1 is outside [0, 1): it is the probability to drop"},
      {[&] { GRUCell(ResetGate::after_product, {.in = 3, .hidden = -1}, g); }, "ValueError",
       "GRUCell: hidden = -1 must be 1 or more"},
      {[&] { gru(none); }, "ValueError", "GRU: its argument is an undefined Variable" + made},
      {[&] {
         gru(zeros({2, 5, 4}));
       },
       "ShapeError", "GRU: (2, 5, 4): the last axis must have 3 features"},
      {[&] { gru(zeros({3})); }, "ShapeError", "GRU: x (3): needs (B, L, E) or (L, E)"},
      {[&] {
         gru(x, {.h = zeros({2, 2, 4})});
       },
       "ShapeError", "GRU: initial states (2, 2, 4): needs (layers·directions, B, H), (4, 2, 4)"},
      {[&] {
         gru(x, {.lengths = whole({5, 6})});
       },
       "ValueError", "GRU: sequence 1 cannot have 6 real steps: there are 5"},
      {[&] {
         gru(zeros({5, 3}), {.lengths = whole({5, 5})});
       },
       "ShapeError", "GRU: lengths (2) for 1 sequences: needs one for each, (1)"},
      {[&] {
         lstm(x, {.c = zeros({1, 2, 5})});
       },
       "ShapeError", "LSTM: initial states (1, 2, 5): needs (layers·directions, B, H), (1, 2, 4)"},
      {[&] { cell(x, h); }, "ShapeError", "GRUCell: x (2, 5, 3): a step takes (B, E) or (E)"},
      {[&] {
         cell(zeros({2, 3}), zeros({4}));
       },
       "ShapeError", "GRUCell: a state (4) for x (2, 3): needs (2, 4)"},
      {[&] {
         cell(zeros({2, 3}), none);
       },
       "ValueError", "GRUCell: its argument state is an undefined Variable" + made},
      {[&] {
         lstm_cell(zeros({3}), {zeros({4}), zeros({5})});
       },
       "ShapeError", "LSTMCell: a state (5) for x (3): needs (4)"},
  });
}

TEST_CASE("errors: decoders") {
  Generator g(1);
  const DecoderOptions sizes{.in = 3, .hidden = 4, .memory = 6};
  const AttentionDecoder decoder(AdditiveScore({.query_size = 4, .key_size = 6, .hidden = 5}, g),
                                 ResetGate::after_product, sizes, g);
  const SummaryDecoder plain(ResetGate::after_product, sizes, g),
      deep(ResetGate::after_product, {.in = 3, .hidden = 4, .memory = 6, .layers = 3}, g);
  const auto memory = decoder.remember({.states = zeros({2, 5, 6})});
  const Variable h = zeros({2, 4}), none;
  const Seq2SeqOptions options{.source_count = 5, .target_count = 5, .embedding = 3, .hidden = 4};
  Seq2Seq model(SummaryDecoder(ResetGate::after_product, {.in = 3, .hidden = 4, .memory = 8}, g), options, g);
  check_errors({
      {[&] { SummaryDecoder(ResetGate::after_product, {.in = 3, .hidden = 4, .memory = 0}, g); }, "ValueError",
       "SummaryDecoder: memory = 0 must be 1 or more"},
      {[&] { SummaryDecoder(ResetGate::after_product, {.in = 3, .hidden = 4, .memory = 6, .layers = 0}, g); },
       "ValueError", "SummaryDecoder: layers = 0 must be 1 or more"},
      {[&] {
         deep.step(zeros({2, 3}), h, {zeros({2, 6})});
       },
       "ShapeError", "SummaryDecoder: a state (2, 4) for x (2, 3): needs (layers, B, H), (3, 2, 4)"},
      {[&] { decoder.remember({.states = none}); }, "ValueError",
       "AttentionDecoder: its argument states is an undefined Variable" + made},
      {[&] {
         decoder.remember({.states = zeros({5, 6})});
       },
       "ShapeError", "AttentionDecoder: states of the encoder (5, 6): needs (B, Lk, M)"},
      {[&] {
         decoder(zeros({2, 7, 2}), h, memory);
       },
       "ShapeError", "AttentionDecoder: (2, 7, 2): the last axis must have 3 features"},
      {[&] {
         decoder(zeros({2, 3}), h, memory);
       },
       "ShapeError", "AttentionDecoder: x (2, 3): needs (B, Lq, E)"},
      {[&] {
         decoder(zeros({2, 0, 3}), h, memory);
       },
       "ShapeError", "AttentionDecoder: x (2, 0, 3): there is no step to take"},
      {[&] {
         decoder.step(zeros({2, 7, 3}), h, memory);
       },
       "ShapeError", "AttentionDecoder: x (2, 7, 3): needs (B, E) for a step"},
      {[&] {
         decoder.step(zeros({2, 3}), zeros({3, 4}), memory);
       },
       "ShapeError", "AttentionDecoder: a state (3, 4) for x (2, 3): needs (B, H), (2, 4)"},
      {[&] {
         plain.step(zeros({2, 3}), none, {zeros({2, 6})});
       },
       "ValueError", "SummaryDecoder: its argument state is an undefined Variable" + made},
      {[&] {
         plain.remember({.states = zeros({2, 5, 6})});
       },
       "ValueError", "SummaryDecoder: its argument summary is an undefined Variable" + made},
      {[&] {
         plain.step(zeros({2, 3}), h, memory);
       },
       "ValueError", "SummaryDecoder: its argument memory.context is an undefined Variable" + made},
      {[&] {
         decoder.step(zeros({2, 3}), h, {zeros({2, 6})});
       },
       "ValueError", "AttentionDecoder: its argument memory.states is an undefined Variable" + made},
      {[&] {
         plain(zeros({2, 0, 3}), h, {zeros({2, 6})});
       },
       "ShapeError", "SummaryDecoder: x (2, 0, 3): there is no step to take"},
      {[&] { Seq2Seq(plain, options, g); }, "ShapeError",
       "Seq2Seq: a decoder with 4 states that reads 9 numbers: for an embedding of 3 and hidden = 4 it must have 4, "
       "and "
       "read 11 (.in = embedding, .memory = 2·hidden)"},
      {[&] {
         model(whole({1, 2}), {}, whole({{1, 2}}));
       },
       "ShapeError", "Seq2Seq: source (2): needs (B, Lk)"},
      {[&] {
         model(whole({{1, 5}}), {}, whole({{1, 2}}));
       },
       "ValueError", "Embedding: the index 5 is outside the 5 rows of the table"},
  });
}

}  // namespace regard::nn

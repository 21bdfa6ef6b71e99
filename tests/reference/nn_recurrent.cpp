// Recurrent networks are PyTorch's: outputs, final states, and the gradients of everything that goes in.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/reference/nn_record.h"

namespace regard::reference {
namespace {

nn::RecurrentOptions options(const NnCase& test) {
  return {.in = test.parameter("weight_ih_l0").size(1),
          .hidden = test.integer("hidden"),
          .layers = test.integer("layers"),
          .bidirectional = test.number("bidirectional") == 1,
          .bias = test.record().parameters.count("bias_ih_l0") > 0,
          .dtype = test.dtype()};
}

Variable or_none(const Variables& in, const char* name) { return in.count(name) ? in.at(name) : Variable(); }

Tensor lengths(const Variables& in) { return in.count("lengths") ? in.at("lengths").value() : Tensor(); }

// RNN and GRU.
template <class M>
void check_recurrent(const NnCase& test, M module) {
  test.check_module(module, [&](const Variables& in) {
    const auto [y, h] = module(in.at("x"), {.lengths = lengths(in), .h = or_none(in, "h")});
    return Variables{{"y", y}, {"h_n", h}};
  });
}

void check_rnn(const NnCase& test, RnnActivation activation) {
  Generator generator(0);
  check_recurrent(test, nn::RNN(activation, options(test), generator));
}

void check_gru(const NnCase& test, ResetGate reset) {
  Generator generator(0);
  check_recurrent(test, nn::GRU(reset, options(test), generator));
}

void check_lstm(const NnCase& test) {
  Generator generator(0);
  nn::LSTM module(options(test), generator);
  test.check_module(module, [&](const Variables& in) {
    const auto [y, h, c] = module(in.at("x"), {.lengths = lengths(in), .h = or_none(in, "h"), .c = or_none(in, "c")});
    return Variables{{"y", y}, {"h_n", h}, {"c_n", c}};
  });
}

nn::CellOptions cell_options(const NnCase& test) {
  return {.in = test.parameter("weight_ih").size(1), .hidden = test.integer("hidden"), .dtype = test.dtype()};
}

template <class Cell>
void check_cell(const NnCase& test, Cell cell) {
  test.check_module(cell, [&](const Variables& in) { return Variables{{"h_n", cell(in.at("x"), in.at("h"))}}; });
}

void check_lstm_cell(const NnCase& test) {
  Generator generator(0);
  nn::LSTMCell cell(cell_options(test), generator);
  test.check_module(cell, [&](const Variables& in) {
    const auto [h, c] = cell(in.at("x"), {in.at("h"), in.at("c")});
    return Variables{{"h_n", h}, {"c_n", c}};
  });
}

}  // namespace

TEST_CASE("recurrent networks are PyTorch's") {
  Generator g(0);
  const auto rnn_cell = [&](const NnCase& test, RnnActivation activation) {
    check_cell(test, nn::RNNCell(activation, cell_options(test), g));
  };
  check_family(
      "recurrent",
      {{"rnn", [](const NnCase& test) { check_rnn(test, RnnActivation::tanh); }},
       {"rnn relu", [](const NnCase& test) { check_rnn(test, RnnActivation::relu); }},
       {"gru", [](const NnCase& test) { check_gru(test, ResetGate::after_product); }},
       {"gru first", [](const NnCase& test) { check_gru(test, ResetGate::before_product); }},
       {"lstm", check_lstm},
       {"rnn cell", [&](const NnCase& test) { rnn_cell(test, RnnActivation::tanh); }},
       {"rnn relu cell", [&](const NnCase& test) { rnn_cell(test, RnnActivation::relu); }},
       {"gru cell",
        [&](const NnCase& test) { check_cell(test, nn::GRUCell(ResetGate::after_product, cell_options(test), g)); }},
       {"lstm cell", check_lstm_cell}});
}

}  // namespace regard::reference

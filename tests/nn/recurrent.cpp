// Recurrent networks: steps by hand, and the laws that hold whatever the weights. tests/reference compares them with
// PyTorch.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/nn/gradcheck_module.h"

namespace regard::nn {
namespace {

Tensor lengths_of(const Nested& lengths) { return tensor(lengths, DType::i64); }

// All kinds of networks, as functions of a sequence that return the output and all final states.
struct Kind {
  std::string name;
  std::function<std::vector<Variable>(const Variable& x, const Tensor& lengths)> read;
  std::vector<NamedParameter> parameters;
};

template <class M>
Kind recurrent(const std::string& name, const M& module) {
  M copy = module;
  return {name,
          [copy](const Variable& x, const Tensor& lengths) mutable {
            const auto [output, h] = copy(x, {.lengths = lengths});
            return std::vector<Variable>{output, h};
          },
          named_parameters(copy)};
}

std::vector<Kind> kinds(const RecurrentOptions& options) {
  Generator g(1);
  LSTM lstm(options, g);
  return {recurrent("RNN", RNN(RnnActivation::tanh, options, g)),
          recurrent("RNN, relu", RNN(RnnActivation::relu, options, g)),
          recurrent("GRU, after", GRU(ResetGate::after_product, options, g)),
          recurrent("GRU, before", GRU(ResetGate::before_product, options, g)),
          {"LSTM",
           [lstm](const Variable& x, const Tensor& lengths) mutable {
             const auto [output, h, c] = lstm(x, {.lengths = lengths});
             return std::vector<Variable>{output, h, c};
           },
           named_parameters(lstm)}};
}

// The gradients of the sum of the squares of all outputs: of x, then of the parameters.
std::vector<Tensor> gradients_of(const Kind& kind, const Variable& x, const Tensor& lengths) {
  Variable total = zeros({}, x.dtype());
  for (const Variable& y : kind.read(x, lengths)) total = total + sum(square(y));
  std::vector<Variable> wanted{x};
  for (const auto& [name, parameter] : kind.parameters) wanted.push_back(parameter);
  std::vector<Tensor> found;
  for (const Variable& each : grad({total}, wanted)) found.push_back(each.value());
  return found;
}

Tensor part(const Tensor& x, std::int64_t begin, std::int64_t end) { return slice(x, 0, begin, end); }

}  // namespace

TEST_CASE("RNNCell: by hand") {
  Generator g(1);
  RNNCell cell(RnnActivation::relu, {.in = 2, .hidden = 2, .dtype = DType::f64}, g);
  assign(cell.weights.weight_ih, f64({{1, 2}, {0, -1}}));
  assign(cell.weights.weight_hh, f64({{1, 0}, {3, 1}}));
  assign(cell.weights.bias_ih, f64({0.5, 0}));
  assign(cell.weights.bias_hh, f64({0, -1}));
  // 1 + 4 + 0.5 + 1 = 6.5;  −2 + 3 + 5 − 1 = 5;  for the second −1 + 0.5 + 1 = 0.5, and 0 + 3 − 10 − 1 < 0
  CHECK(identical(cell(f64({{1, 2}, {-1, 0}}), f64({{1, 5}, {1, -10}})).value(), f64({{6.5, 5}, {0.5, 0}})));
  CHECK(identical(cell(f64({1, 2}), f64({1, 5})).value(), f64({6.5, 5})));
}

TEST_CASE("GRUCell: by hand, with the reset gate after and before the product") {
  const double log3 = std::log(3);  // σ(log 3) = ¾, σ(−log 3) = ¼
  for (const auto& [reset, seen] : {std::pair{ResetGate::after_product, 0.75 * (2 * 0.5 + 1)},
                                    std::pair{ResetGate::before_product, 2 * (0.75 * 0.5) + 1}}) {
    Generator g(1);
    GRUCell cell(reset, {.in = 1, .hidden = 1, .dtype = DType::f64}, g);
    assign(cell.weights.weight_ih, f64({{0}, {0}, {0.1}}));
    assign(cell.weights.bias_ih, f64({log3, -log3, 0}));
    assign(cell.weights.weight_hh, f64({{0}, {0}, {2}}));
    assign(cell.weights.bias_hh, f64({0, 0, 1}));
    const double n = std::tanh(0.3 + seen);  // x = 3, h = ½
    CHECK(cell(f64({3}), f64({0.5})).item() == Approx(0.75 * n + 0.25 * 0.5).epsilon(1e-14));
  }
}

TEST_CASE("LSTMCell: by hand") {
  Generator g(1);
  LSTMCell cell({.in = 1, .hidden = 1, .dtype = DType::f64}, g);
  const double log3 = std::log(3);
  assign(cell.weights.weight_ih, f64({{0}, {0}, {0.5}, {0}}));
  assign(cell.weights.weight_hh, f64({{0}, {0}, {1}, {0}}));
  assign(cell.weights.bias_ih, f64({log3, -log3, 0, 0}));
  assign(cell.weights.bias_hh, f64({0, 0, 0, 0}));
  // i = ¾, f = ¼, o = ½, g = tanh(½·2 + 0.2)
  const auto [h, c] = cell(f64({2}), {f64({0.2}), f64({4})});
  CHECK(c.item() == Approx(0.25 * 4 + 0.75 * std::tanh(1.2)).epsilon(1e-14));
  CHECK(h.item() == Approx(0.5 * std::tanh(c.item())).epsilon(1e-14));
}

TEST_CASE("recurrent: a cell step by step is the sequence at once, bit for bit") {
  for (const DType dtype : {DType::f32, DType::f64}) {
    Generator g(2);
    GRU gru(ResetGate::after_product, {.in = 3, .hidden = 21, .dtype = dtype}, g);
    LSTM lstm({.in = 3, .hidden = 21, .dtype = dtype}, g);
    const Variable x = noise({5, 7, 3}, 1, dtype);
    Variable h = zeros({5, 21}, dtype);
    LSTMState state{h, h};
    std::vector<Variable> gru_states, lstm_states;
    for (std::int64_t t = 0; t < 7; ++t) {
      gru_states.push_back(h = gru.stack.cells[0](select(x, 1, t), h));
      state = lstm.stack.cells[0](select(x, 1, t), state);
      lstm_states.push_back(state.h);
    }
    CHECK(identical(gru(x).output.value(), stack(gru_states, 1).value()));
    CHECK(identical(lstm(x).output.value(), stack(lstm_states, 1).value()));
    CHECK(identical(lstm(x).c.value(), unsqueeze(state.c, 0).value()));
  }
}

TEST_CASE("recurrent: the state is all that a network remembers: the rest of a sequence follows from it") {
  Generator g(2);
  GRU gru(ResetGate::after_product, {.in = 3, .hidden = 5, .layers = 2}, g);
  const Variable x = noise({2, 9, 3}, 1, DType::f32);
  const auto [output, h] = gru(x);
  const auto [begun, between] = gru(slice(x, 1, 0, 4));
  const auto [rest, end] = gru(slice(x, 1, 4), {.h = between});
  CHECK(identical(output.value(), cat({begun, rest}, 1).value()));
  CHECK(identical(h.value(), end.value()));
}

TEST_CASE("recurrent: padding is not there: not in outputs, states or gradients, bit for bit, nor is NaN in it") {
  for (const DType dtype : {DType::f32, DType::f64})
    for (const Kind& kind : kinds({.in = 3, .hidden = 18, .layers = 2, .bidirectional = true, .dtype = dtype})) {
      INFO(kind.name << " in " << name_of(dtype));
      const Tensor clean = noise({4, 6, 3}, 1, dtype), lengths = lengths_of({6, 2, 0, 5});
      const Tensor padded = greater_equal(reshape(arange(6), {1, 6, 1}), reshape(lengths, {4, 1, 1}));
      const Tensor poisoned = where(padded, full({}, nan, dtype), clean);
      const Variable x = parameter(clean), dirty = parameter(poisoned);
      const std::vector<Variable> all = kind.read(dirty, lengths);
      const Tensor to_x = gradients_of(kind, dirty, lengths)[0];
      for (const std::int64_t row : {0, 1, 3}) {
        INFO("sequence " << row);
        const auto length = static_cast<std::int64_t>(lengths.at({row}));
        const Variable alone = parameter(slice(part(clean, row, row + 1), 1, 0, length));
        const std::vector<Variable> expected = kind.read(alone, {});
        CHECK(identical(slice(part(all[0].value(), row, row + 1), 1, 0, length), expected[0].value()));
        CHECK(sum(abs(slice(part(all[0].value(), row, row + 1), 1, length))).item() == 0);
        for (std::size_t i = 1; i < all.size(); ++i)
          CHECK(identical(slice(all[i].value(), 1, row, row + 1), expected[i].value()));
        const Tensor of_row = part(to_x, row, row + 1);
        CHECK(identical(slice(of_row, 1, 0, length), gradients_of(kind, alone, {})[0]));
        CHECK(sum(abs(slice(of_row, 1, length))).item() == 0);
      }
      const auto from_clean = gradients_of(kind, x, lengths), from_dirty = gradients_of(kind, dirty, lengths);
      for (std::size_t i = 0; i < from_clean.size(); ++i) CHECK(identical(from_clean[i], from_dirty[i]));
      for (std::size_t i = 1; i < all.size(); ++i)  // a sequence of no steps ends where it began
        CHECK(sum(abs(slice(all[i].value(), 1, 2, 3))).item() == 0);
    }
}

TEST_CASE("recurrent: no bit of a sequence depends on the others, or on the number of threads") {
  const int before = thread_count();
  for (const DType dtype : {DType::f32, DType::f64})
    for (const Kind& kind : kinds({.in = 20, .hidden = 33, .bidirectional = true, .dtype = dtype})) {
      INFO(kind.name << " in " << name_of(dtype));
      set_thread_count(1);
      const Variable x = parameter(noise({75, 11, 20}, 1, dtype));
      const Tensor output = kind.read(x, {})[0].value();
      const std::vector<Tensor> gradients = gradients_of(kind, x, {});
      for (const int threads : {2, 3, 8}) {
        set_thread_count(threads);
        CHECK(identical(kind.read(x, {})[0].value(), output));
        const std::vector<Tensor> same = gradients_of(kind, x, {});
        for (std::size_t i = 0; i < same.size(); ++i) CHECK(identical(same[i], gradients[i]));
      }
      for (const auto& [begin, end] : {std::pair{0, 2}, {3, 40}, {70, 75}}) {
        const Variable some = parameter(part(x.value(), begin, end));
        CHECK(identical(kind.read(some, {})[0].value(), part(output, begin, end)));
        CHECK(identical(gradients_of(kind, some, {})[0], part(gradients[0], begin, end)));
      }
    }
  set_thread_count(before);
}

TEST_CASE("recurrent: to read backwards is to read the reversed sequence") {
  Generator g(3);
  GRU both(ResetGate::after_product, {.in = 3, .hidden = 4, .bidirectional = true, .dtype = DType::f64}, g);
  const Variable x = noise({2, 5, 3});
  const auto [output, h] = both(x);
  GRU reversed(ResetGate::after_product, {.in = 3, .hidden = 4, .dtype = DType::f64}, g);
  reversed.stack.cells[0] = both.stack.cells[1];
  const auto [backwards, last] = reversed(flip(x, 1));
  CHECK(identical(slice(output, 2, 4).value(), flip(backwards, 1).value()));
  CHECK(identical(slice(h, 0, 1).value(), last.value()));
}

TEST_CASE("recurrent: dropout is between layers, in training only") {
  Generator g(3);
  LSTM lstm({.in = 3, .hidden = 50, .layers = 2, .dropout = 0.5}, g);
  const Variable x = noise({4, 6, 3}, 1, DType::f32);
  const Tensor one = lstm(x).output.value(), other = lstm(x).output.value();
  CHECK(!identical(one, other));
  CHECK(all(not_equal(one, 0)).item() == 1);  // what comes out of the last layer is whole
  eval(lstm);
  const Tensor whole = lstm(x).output.value();
  CHECK(identical(whole, lstm(x).output.value()));
  LSTM first({.in = 3, .hidden = 50}, g), second({.in = 50, .hidden = 50}, g);
  first.stack.cells[0] = lstm.stack.cells[0];
  second.stack.cells[0] = lstm.stack.cells[1];
  CHECK(identical(second(first(x).output).output.value(), whole));
}

TEST_CASE("recurrent: parameters have PyTorch's names and shapes, and start within 1/√H") {
  Generator g(3);
  GRU gru(ResetGate::after_product, {.in = 3, .hidden = 100, .layers = 2, .bidirectional = true}, g);
  std::vector<std::string> found;
  for (const auto& [name, parameter] : named_parameters(gru)) {
    found.push_back(fmt::format("{} {}", name, parameter.shape()));
    CHECK(max(abs(parameter)).item() <= 0.1);
    CHECK(max(abs(parameter)).item() > 0.098);
  }
  CHECK(found == std::vector<std::string>{
                     "weight_ih_l0 (300, 3)", "weight_hh_l0 (300, 100)", "bias_ih_l0 (300)", "bias_hh_l0 (300)",
                     "weight_ih_l0_reverse (300, 3)", "weight_hh_l0_reverse (300, 100)", "bias_ih_l0_reverse (300)",
                     "bias_hh_l0_reverse (300)", "weight_ih_l1 (300, 200)", "weight_hh_l1 (300, 100)",
                     "bias_ih_l1 (300)", "bias_hh_l1 (300)", "weight_ih_l1_reverse (300, 200)",
                     "weight_hh_l1_reverse (300, 100)", "bias_ih_l1_reverse (300)", "bias_hh_l1_reverse (300)"});
  LSTMCell cell({.in = 2, .hidden = 3, .bias = false}, g);
  CHECK(named_parameters(cell).size() == 2);
  CHECK(cell(zeros({0, 2}), {zeros({0, 3}), zeros({0, 3})}).h.shape() == Shape{0, 3});
}

TEST_CASE("recurrent: sequences of no steps, and no sequences") {
  for (const Kind& kind : kinds({.in = 3, .hidden = 4, .bidirectional = true})) {
    INFO(kind.name);
    const auto none = kind.read(zeros({2, 0, 3}), {});
    CHECK(none[0].shape() == Shape{2, 0, 8});
    CHECK(identical(none[1].value(), zeros({2, 2, 4})));
    CHECK(kind.read(zeros({0, 5, 3}), {})[0].shape() == Shape{0, 5, 8});
    CHECK(
        identical(gradients_of(kind, parameter(zeros({0, 5, 3})), {})[2], zeros(kind.parameters[1].parameter.shape())));
  }
}

TEST_CASE("recurrent: gradients of all inputs, initial states and parameters, to second order") {
  Generator g(4);
  const RecurrentOptions options{.in = 2, .hidden = 2, .layers = 2, .bidirectional = true, .dtype = DType::f64};
  const Tensor lengths = lengths_of({3, 1});
  const std::vector<Variable> in{noise({2, 3, 2}, 1), noise({4, 2, 2}, 2), noise({4, 2, 2}, 3)};
  const auto read = [&](auto& m, const auto& x) {
    const auto [y, h] = m(x[0], {.lengths = lengths, .h = x[1]});
    return cat({flatten(y), flatten(h)}, 0);
  };
  check_gradients("GRU", GRU(ResetGate::after_product, options, g), {in[0], in[1]}, read);
  // The other is composed, and so slow that one layer must do.
  GRU other(ResetGate::before_product, {.in = 2, .hidden = 2, .dtype = DType::f64}, g);
  check_gradients("GRU, before", other, {in[0], noise({1, 2, 2}, 2)}, read);
  check_gradients("RNN", RNN(RnnActivation::tanh, options, g), {in[0], in[1]}, read);
  check_gradients("LSTM", LSTM(options, g), in, [&](LSTM& m, const auto& x) {
    const auto [y, h, c] = m(x[0], {.lengths = lengths, .h = x[1], .c = x[2]});
    return cat({flatten(y), flatten(h), flatten(c)}, 0);
  });
}

}  // namespace regard::nn

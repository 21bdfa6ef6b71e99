// Recurrent networks: sequences read, and read and differentiated, as a training step does it.
#include "autograd/all.h"
#include "nn/attention/scores/additive.h"
#include "nn/recurrent/decoder.h"
#include "nn/recurrent/gru.h"
#include "nn/recurrent/lstm.h"
#include "tests/bench/measure.h"
#include "tests/bench/peers/ort.h"

namespace regard::bench {
namespace {

struct Sizes {
  std::int64_t batch, length, width;
  std::string name() const { return fmt::format("{}x{}x{}", batch, length, width); }
};

// The output of one layer, as wide as its input; and the gradients of the input and all weights, where asked for.
template <class M>
Run read(M module, const Sizes& s, bool backward) {
  const Variable x = parameter(operand({s.batch, s.length, s.width}));
  const Variable g = operand({s.batch, s.length, s.width}, 1);
  std::vector<Variable> wanted = nn::parameters(module);
  wanted.push_back(x);
  return [=]() mutable {
    if (backward) {
      grad({module(x).output}, wanted, {.gradients = {g}});
    } else {
      const NoGrad no_grad;
      module(x);
    }
  };
}

nn::GRU gru(const Sizes& s) {
  Generator generator(1);
  return nn::GRU(ResetGate::after_product, {.in = s.width, .hidden = s.width}, generator);
}

nn::LSTM lstm(const Sizes& s) {
  Generator generator(1);
  return nn::LSTM({.in = s.width, .hidden = s.width}, generator);
}

// ONNX has time first, and the gates in another order. Its weights are W_ih, W_hh, and both biases one behind the
// other.
template <class M>
Example example_for_ort(M module, const Sizes& s, const std::vector<std::int64_t>& gates) {
  const NoGrad no_grad;
  const Tensor x = operand({s.batch, s.length, s.width});
  const auto ordered = [&](const Variable& rows) {
    std::vector<Tensor> blocks;
    for (const std::int64_t gate : gates)
      blocks.push_back(slice(rows.value(), 0, gate * s.width, (gate + 1) * s.width));
    return cat(blocks, 0);
  };
  const nn::CellWeights& w = module.stack.cells[0].weights;
  const Tensor biases = cat({ordered(w.bias_ih), ordered(w.bias_hh)}, 0);
  return {contiguous(transpose(x, 0, 1)),
          {unsqueeze(ordered(w.weight_ih), 0), unsqueeze(ordered(w.weight_hh), 0), unsqueeze(biases, 0)},
          unsqueeze(contiguous(transpose(module(x).output.value(), 0, 1)), 1)};
}

// Bahdanau's decoder, all steps: a batch of sources of so many states, twice as wide as the decoder's, and targets.
Run decoder(std::int64_t batch, std::int64_t source, std::int64_t target, std::int64_t width) {
  Generator generator(1);
  nn::AttentionDecoder module(
      nn::AdditiveScore({.query_size = width, .key_size = 2 * width, .hidden = width}, generator),
      ResetGate::after_product, {.in = width, .hidden = width, .memory = 2 * width}, generator);
  const Variable states = parameter(operand({batch, source, 2 * width})),
                 x = parameter(operand({batch, target, width}));
  const Variable h = parameter(operand({batch, width}));
  const Variable g = operand({batch, target, 3 * width}, 1);
  std::vector<Variable> wanted = nn::parameters(module);
  wanted.insert(wanted.end(), {states, x, h});
  return [=] {
    const auto [after, contexts, weights] = module(x, h, module.remember({.states = states}));
    grad({cat({after, contexts}, -1)}, wanted, {.gradients = {g}});
  };
}

}  // namespace

void register_measurements() {
  for (const Sizes& s : {Sizes{64, 24, 128}, Sizes{16, 64, 256}})
    for (const int threads : {1, 2}) {
      const Key gru_forward{"gru_forward/" + s.name(), threads}, lstm_forward{"lstm_forward/" + s.name(), threads};
      measure({"gru/" + s.name(), threads}, "regard", {}, [s] { return read(gru(s), s, true); });
      measure({"lstm/" + s.name(), threads}, "regard", {}, [s] { return read(lstm(s), s, true); });
      measure(gru_forward, "regard", {}, [s] { return read(gru(s), s, false); });
      measure(lstm_forward, "regard", {}, [s] { return read(lstm(s), s, false); });
      measure_ort(gru_forward, {"GRU", {{"hidden_size", s.width}, {"linear_before_reset", 1}}}, [s] {
        return example_for_ort(gru(s), s, {1, 0, 2});
      });  // z, r, n
      measure_ort(lstm_forward, {"LSTM", {{"hidden_size", s.width}}}, [s] {
        return example_for_ort(lstm(s), s, {0, 3, 1, 2});
      });  // i, o, f, g
    }
  measure({"attention_decoder/128x12x10x128", 2}, "regard", {}, [] { return decoder(128, 12, 10, 128); });
}

}  // namespace regard::bench

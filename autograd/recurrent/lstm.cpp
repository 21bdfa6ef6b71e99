#include "autograd/recurrent/lstm.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "autograd/recurrent/sequence.h"

namespace regard {
namespace {

CellState step(const Variable& p, const CellState& before, const Variable& weight, const Variable& bias) {
  const std::int64_t hidden = weight.size(1);
  const Variable all = p + linear(before[0], weight, bias);
  const auto part = [&](std::int64_t i) { return slice(all, 1, i * hidden, (i + 1) * hidden); };
  const Variable memory = sigmoid(part(1)) * before[1] + sigmoid(part(0)) * tanh(part(2));
  return {sigmoid(part(3)) * tanh(memory), memory};
}

}  // namespace

Variable lstm_composed(const Variable& projected, const Variable& initial_h, const Variable& initial_c,
                       const Variable& weight, const Variable& bias, const SequenceOptions& options) {
  return composed_sequence(op("lstm"), RecurrentCell::lstm, {projected, initial_h, initial_c, weight, bias}, options,
                           step);
}

// With dhₜ and dcₜ, the gradients of states hₜ and cₜ from all later steps, m = tanh c′, and î, f̂, ĝ, ô for what
// stands inside σ and tanh:
//   ∂ô = dh·m·o·(1 − o)      ∂c′ = dc + dh·o·(1 − m²)
//   ∂î = ∂c′·g·i·(1 − i)     ∂f̂ = ∂c′·c·f·(1 − f)     ∂ĝ = ∂c′·i·(1 − g²)
//   ∂p = ∂a = (∂î, ∂f̂, ∂ĝ, ∂ô)      dhₜ₋₁ = (g of h) + ∂a·W_hh      dcₜ₋₁ = (g of c) + ∂c′·f
// The way from c to c goes through no product and no slope but f: that is why long memory can be learned.
Variable lstm(const Variable& projected, const Variable& initial_h, const Variable& initial_c, const Variable& weight,
              const Variable& bias, const SequenceOptions& options) {
  return sequence(op("lstm"), RecurrentCell::lstm, {projected, initial_h, initial_c, weight, bias}, options, step);
}

}  // namespace regard

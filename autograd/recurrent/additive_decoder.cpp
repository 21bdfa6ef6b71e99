#include "autograd/recurrent/additive_decoder.h"

#include "autograd/fused/masked_softmax.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/join.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/view.h"
#include "autograd/recurrent/gru.h"
#include "autograd/twin.h"
#include "tensor/recurrent/additive_decoder.h"

namespace regard {
namespace {

// The inputs of the operation, in this order. None may be undefined.
graph::Inputs listed(const Variable& projected, const Variable& initial, const AdditiveMemory& memory,
                     const AdditiveDecoderWeights& w) {
  const graph::Inputs in{projected, initial, memory.keys, memory.values, w.query, w.score, w.context, w.hidden, w.bias};
  for (const Variable& x : in) require_defined("additive_decoder", x);
  return in;
}
AdditiveDecoderInputs values_of(const graph::Inputs& in, const Tensor& keep) {
  return {in[0].value(), in[1].value(), in[2].value(), in[3].value(), keep,
          in[4].value(), in[5].value(), in[6].value(), in[7].value(), in[8].value()};
}

// All steps, their three results end to end. Keys and values that are not kept are replaced before anything is computed
// with them: 0·NaN is NaN.
Variable composed(const graph::Inputs& in, const Tensor& keep, ResetGate reset) {
  const AdditiveDecoderWeights w{in[4], in[5], in[6], in[7], in[8]};
  const Tensor marks = unsqueeze(expand(keep, {in[2].size(0), in[2].size(1)}), -1);
  const Variable keys = where(marks, in[2], 0), values = where(marks, in[3], 0);
  std::vector<Variable> parts{flatten(in[1])}, contexts, weights;
  Variable h = in[1];
  for (std::int64_t t = 0; t < in[0].size(0); ++t) {
    const Variable features = tanh(unsqueeze(linear(h, w.query), 1) + keys);  // (B, K, D)
    const Variable alpha = masked_softmax(matmul(features, w.score), 1, keep);
    const Variable context = squeeze(matmul(unsqueeze(alpha, 1), values), 1);
    const Variable reading = select(in[0], 0, t) + linear(context, w.context);
    h = select(gru_composed(unsqueeze(reading, 0), h, w.hidden, w.bias, reset), 0, 1);
    parts.push_back(flatten(h));
    contexts.push_back(flatten(context));
    weights.push_back(flatten(alpha));
  }
  parts.insert(parts.end(), contexts.begin(), contexts.end());
  parts.insert(parts.end(), weights.begin(), weights.end());
  return cat(parts, 0);
}

LookingSteps steps_of(const Variable& all, const AdditiveDecoderShape& shape) {
  std::int64_t begin = 0;
  const auto next = [&](const Shape& part) {
    const Variable x = slice(all, 0, begin, begin + part.numel());
    begin += part.numel();
    return reshape(x, part);
  };
  const Variable states = next(shape.states), contexts = next(shape.contexts);
  return {states, contexts, next(shape.weights)};
}

}  // namespace

LookingSteps additive_decoder_composed(const Variable& projected, const Variable& initial, const AdditiveMemory& memory,
                                       const AdditiveDecoderWeights& weights, ResetGate reset) {
  const graph::Inputs in = listed(projected, initial, memory, weights);
  const AdditiveDecoderInputs values = values_of(in, memory.keep);
  require_additive_decoder(values);
  return steps_of(composed(in, memory.keep, reset), shape_of(values));
}

// From the state after a step back to the one before it as in a GRU (gru.cpp), which also gives ∂p; and through the
// look, as p + W_c·c was read:
//   ∂c = ∂p·W_c + g      ∂αⱼ = ∂c·vⱼ + g      ∂sⱼ = αⱼ·(∂αⱼ − Σᵢ αᵢ·∂αᵢ)
//   with uⱼ = tanh(W_q·h + kⱼ):  ∂kⱼ = ∂sⱼ·w·(1 − uⱼ²),   ∂(W_q·h) = Σⱼ ∂kⱼ, which goes on to h by W_q
// What serves all steps adds up over them: ∂w = Σ ∂sⱼ·uⱼ, ∂vⱼ = Σ αⱼ·∂c, and ∂kⱼ step by step; ∂W_c = Σₜ ∂pₜᵀ·cₜ,
// ∂W_q = Σₜ ∂(W_q·h)ᵀ·hₜ₋₁ and ∂W_hh in one product each.
LookingSteps additive_decoder(const Variable& projected, const Variable& initial, const AdditiveMemory& memory,
                              const AdditiveDecoderWeights& weights, ResetGate reset) {
  if (reset == ResetGate::before_product) return additive_decoder_composed(projected, initial, memory, weights, reset);
  const graph::Inputs inputs = listed(projected, initial, memory, weights);
  const AdditiveDecoderInputs values = values_of(inputs, memory.keep);
  const AdditiveDecoderResult made = additive_decoder(values, must_record(inputs));
  const auto twin = [=, keep = memory.keep](const graph::Inputs& in) { return composed(in, keep, reset); };
  const auto rule = [keep = memory.keep, gates = made.gates, queries = made.queries](const Variable& grad,
                                                                                     const Saved& saved) {
    const AdditiveDecoderInputs to =
        additive_decoder_gradients(grad.value(), values_of(saved.inputs, keep), {saved.output.value(), gates, queries});
    return gradients(to.projected, to.initial, to.keys, to.values, to.query, to.score, to.context, to.hidden, to.bias);
  };
  return steps_of(record(op("additive_decoder"), inputs, made.all, with_twin(twin, rule)), shape_of(values));
}

}  // namespace regard

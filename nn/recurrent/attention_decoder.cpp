#include "nn/recurrent/attention_decoder.h"

namespace regard::nn {

// The cell's weight has columns for x and columns for the context. What x contributes is known beforehand, for all
// steps.
DecoderOutput additive_steps(const AdditiveScore& score, const GRUCell& cell, const Variable& x, const Variable& h,
                             const AdditiveMemory& memory) {
  const CellWeights& w = cell.weights;
  const std::int64_t in = x.size(2);
  const Variable projected = linear(transpose(x, 0, 1), slice(w.weight_ih, 1, 0, in), w.bias_ih);
  const auto [states, contexts, weights] = additive_decoder(projected, h, memory,
                                                            {.query = score.w_q.weight,
                                                             .score = flatten(score.w_v.weight),
                                                             .context = slice(w.weight_ih, 1, in),
                                                             .hidden = w.weight_hh,
                                                             .bias = w.hidden_bias()},
                                                            cell.reset);
  return {transpose(slice(states, 0, 1), 0, 1), transpose(contexts, 0, 1), transpose(weights, 0, 1)};
}

}  // namespace regard::nn

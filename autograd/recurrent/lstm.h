#pragma once

#include "autograd/variable.h"
#include "tensor/recurrent/sequence.h"

namespace regard {

// Long short-term memory, for all steps of a sequence in one operation. It has two states: h, which is its output, and
// c, its memory, which is only ever scaled and added to. In a step, with p = W_ih·x + b_ih and a = W_hh·h + b_hh, each
// of four parts:
//   input   i = σ(p_i + a_i)       how much of the candidate is written
//   forget  f = σ(p_f + a_f)       how much of the memory is kept
//   candidate  g = tanh(p_g + a_g)
//   output  o = σ(p_o + a_o)       how much of the memory is shown
//   c′ = f ⊙ c + i ⊙ g          h′ = o ⊙ tanh c′
//
// projected p (L, B, 4H), initial states (B, H), weight W_hh (4H, H) and bias b_hh (4H), in the order i, f, g, o, as
// PyTorch has them → states (2, L + 1, B, H), those of h and those of c; see tensor/recurrent/sequence.h.
Variable lstm(const Variable& projected, const Variable& initial_h, const Variable& initial_c, const Variable& weight,
              const Variable& bias, const SequenceOptions& options = {});
Variable lstm_composed(const Variable& projected, const Variable& initial_h, const Variable& initial_c,
                       const Variable& weight, const Variable& bias, const SequenceOptions& options = {});

}  // namespace regard

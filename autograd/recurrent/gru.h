#pragma once

#include "autograd/variable.h"
#include "tensor/recurrent/sequence.h"

namespace regard {

// A gated recurrent unit, for all steps of a sequence in one operation (of two, the one that PyTorch has; the other is
// composed). In a step, with p = W_ih·x + b_ih and a = W_hh·h + b_hh, each of three parts:
//   reset   r = σ(p_r + a_r)             how much of the state the candidate sees
//   update  z = σ(p_z + a_z)             how much of the state is kept
//   candidate  n = tanh(p_n + r ⊙ a_n)   ResetGate::after_product
//              n = tanh(p_n + W_n·(r ⊙ h) + b_n)   ResetGate::before_product
//   h′ = (1 − z) ⊙ n + z ⊙ h
//
// projected p (L, B, 3H), initial (B, H), weight W_hh (3H, H) and bias b_hh (3H), in the order r, z, n, as PyTorch has
// them → states (L + 1, B, H); see tensor/recurrent/sequence.h.
Variable gru(const Variable& projected, const Variable& initial, const Variable& weight, const Variable& bias,
             ResetGate reset, const SequenceOptions& options = {});
Variable gru_composed(const Variable& projected, const Variable& initial, const Variable& weight, const Variable& bias,
                      ResetGate reset, const SequenceOptions& options = {});

}  // namespace regard

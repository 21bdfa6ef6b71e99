#pragma once

#include "tensor/tensor.h"

#include <vector>

namespace regard {

// A recurrent network reads a sequence step by step. What it remembers between steps is its state h, H numbers. The
// next state is a function of the next input xₜ, E numbers, and of the state before. Both enter through a product:
//
//   pₜ = W_ih·xₜ + b_ih          which knows nothing of the state: all steps are projected in one product beforehand
//   aₜ = W_hh·hₜ₋₁ + b_hh        which has to wait for the state: one product for each step
//
// L steps of B sequences are computed together. Time comes first, so that what belongs to one step lies side by side:
//   projected p (L, B, G·H), initial state (B, H), weight W_hh (G·H, H), bias b_hh (G·H) → states (L + 1, B, H)
// G is how many numbers a feature of the state is computed from: 1, for a GRU 3, for an LSTM 4.
//
// States are those between steps: states 0 to L, of which one is the initial state. Step t leads from state t to state
// t + 1. In reverse the steps are taken from the last to the first, so step t leads from state t + 1 to state t, and
// the initial state is state L.
struct SequenceOptions {
  // i64 (B): of each sequence only so many steps, the first, are real. The others are padding: they leave the state as
  // it is, and whatever stands there, NaN too, is not looked at. Undefined: all steps are real.
  Tensor lengths = {};
  bool reverse = false;
};

// When a GRU's reset gate is applied. Weights trained with one give wrong results, silently, with the other.
enum class ResetGate {
  before_product,  // W·(r ⊙ h): as published by Cho et al. in 2014
  after_product,   // r ⊙ (W·h + b): as PyTorch and cuDNN have it; all products of a step are one
};

enum class RnnActivation { tanh, relu };

// The kinds of sequences; autograd/recurrent/rnn.h, gru.h and lstm.h have their formulas. A GRU is the one that applies
// its reset gate after the product: so all products of a step are one.
enum class RecurrentCell { rnn_tanh, rnn_relu, gru, lstm };

struct SequenceInputs {
  Tensor projected;             // p
  std::vector<Tensor> initial;  // h; of an LSTM h and c
  Tensor weight, bias;          // W_hh and b_hh
};

// All steps. Gain: composed of other operations a GRU takes 3 to 6 times as long.
struct SequenceResult {
  Tensor states;      // (L + 1, B, H); of an LSTM (2, L + 1, B, H): those of h, then those of c
  Tensor gates = {};  // what the gradients need to know of each step beside the states; of no use where it is not kept
};
SequenceResult sequence(RecurrentCell cell, const SequenceInputs& in, const SequenceOptions& options, bool keep_gates);

// The gradients of Σ g·states, but those of W_hh and b_hh: they follow from `hidden` in one product and one sum.
struct SequenceGradients {
  Tensor projected;     // ∂p (L, B, G·H)
  Tensor hidden;        // ∂a (L, B, G·H)
  Tensor initial = {};  // (B, H); of an LSTM (2, B, H)
};
SequenceGradients sequence_gradients(RecurrentCell cell, const Tensor& g, const SequenceResult& made,
                                     const Tensor& weight, const SequenceOptions& options);

// Throws unless projected is (L, B, G·H), each initial state (B, H), weight (G·H, H), bias (G·H), and the lengths (B)
// are from 0 to L. A cell also has to get as many initial states as it has.
void require_sequence(const char* operation, std::int64_t gates, const SequenceInputs& in,
                      const SequenceOptions& options);
void require_sequence(RecurrentCell cell, const SequenceInputs& in, const SequenceOptions& options);

// The part of that which is about lengths.
void require_lengths(const char* operation, const Tensor& lengths, std::int64_t steps, std::int64_t batch);

// The states that the steps begin with, (L, B, H), of all states (L + 1, B, H).
Tensor states_before(const Tensor& states, const SequenceOptions& options);

// Σₜ ∂aₜᵀ·hₜ, the gradient of a weight that all steps share: one product for all of them. ∂a (L, B, G·H), h (L, B, H).
Tensor weight_gradient(const Tensor& to_hidden, const Tensor& states);

}  // namespace regard

#pragma once

#include "tensor/tensor.h"

#include <initializer_list>

namespace regard {

// What the sequences of rnn.h, gru.h and lstm.h have in common.
//
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

// The gradients of a sequence, but those of W_hh and b_hh: they follow from `hidden` in one product and one sum.
struct SequenceGradients {
  Tensor projected;     // ∂p (L, B, G·H)
  Tensor hidden;        // ∂a (L, B, G·H)
  Tensor initial = {};  // (B, H)
};

// Throws unless projected is (L, B, G·H), each initial state (B, H), weight (G·H, H), bias (G·H), and the lengths (B)
// are from 0 to L.
void require_sequence(const char* operation, std::int64_t gates, const Tensor& projected,
                      std::initializer_list<const Tensor*> initial, const Tensor& weight, const Tensor& bias,
                      const SequenceOptions& options);

// The part of that which is about lengths.
void require_lengths(const char* operation, const Tensor& lengths, std::int64_t steps, std::int64_t batch);

// Which sequences are real at step t: 1 and 0, i64 (B, 1).
Tensor real_at(const SequenceOptions& options, std::int64_t step);

// The states that the steps begin with, (L, B, H), of all states (L + 1, B, H).
Tensor states_before(const Tensor& states, const SequenceOptions& options);

// Σₜ ∂aₜᵀ·hₜ, the gradient of a weight that all steps share: one product for all of them. ∂a (L, B, G·H), h (L, B, H).
Tensor weight_gradient(const Tensor& to_hidden, const Tensor& states);

}  // namespace regard

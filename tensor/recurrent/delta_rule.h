#pragma once

#include "tensor/tensor.h"

namespace regard {

// A memory of fixed size, S (Dk, Dv), that is written and read once a step; autograd/recurrent/delta_rule.h has the
// formulas. The axes in front, such as (B, H), are heads that know nothing of each other:
//   q, k (…, L, Dk), v (…, L, Dv), beta (…, L), log_decay (…, L) or (…, L, Dk), state (…, Dk, Dv)
struct DeltaInputs {
  Tensor q, k, v;
  Tensor beta = {};       // undefined: nothing is corrected
  Tensor log_decay = {};  // undefined: nothing fades
  Tensor state = {};      // what S begins with
};

// Throws unless the shapes and types are those above.
void require_delta_rule(const DeltaInputs& in);

// All steps, in chunks of 64. Inside a chunk everything is a product of matrices, and one triangular system; S moves
// on from chunk to chunk. For the gradients S is kept as it was before each of N chunks. A head goes to one thread.
// Gain over the steps one by one, with Dk = Dv = 64: 6, and on the way back 40 to 90.
struct DeltaResult {
  Tensor outputs;      // (…, L + Dk, Dv): o of each step and, below them, S as it is at the end
  Tensor states = {};  // (…, N, Dk, Dv); undefined where they are not kept
};
DeltaResult delta_rule(const DeltaInputs& in, bool keep_states);

// The gradients of Σ g·outputs, each undefined where its input is.
DeltaInputs delta_rule_gradients(const Tensor& g, const DeltaInputs& in, const DeltaResult& made);

}  // namespace regard

#pragma once

#include "autograd/variable.h"

namespace regard {

// Attention without softmax. It keeps no keys and values, but a memory S (Dk, Dv), which answers kᵀ·S to a key. In each
// step the memory fades, learns a pair, and is asked. With u for what is written:
//   S ← a ⊙ S          a = e^log_decay, one number or one for each row of S, of features of keys
//   u = β·(v − Sᵀ·k)   the delta rule: only what the memory does not answer already, and only a part β of it
//   u = v              without it: linear attention
//   S ← S + k·uᵀ       o = Sᵀ·q
// Written in one line, S ← (I − β·k·kᵀ)·(a ⊙ S) + β·k·vᵀ. There are four rules, by what is given:
//   neither: linear    log_decay: gated    beta: delta    both: gated delta
// With keys of length 1, 0 ≤ β ≤ 1 and log_decay ≤ 0 no step enlarges what S holds already.
//
// q, k (…, L, Dk), v (…, L, Dv) → output (…, L, Dv) and the state at the end (…, Dk, Dv), with which the next steps
// begin: so a text goes on with a memory of fixed size.
struct DeltaOptions {
  Variable beta = {};       // β (…, L)
  Variable log_decay = {};  // log a (…, L), or (…, L, Dk); −∞ forgets everything
  Variable state = {};      // S before the first step (…, Dk, Dv); undefined: 0
};
struct OutputAndState {
  Variable output, state;
};
OutputAndState delta_rule(const Variable& q, const Variable& k, const Variable& v, const DeltaOptions& options = {});

// Its twin: the lines above, step by step.
OutputAndState delta_rule_composed(const Variable& q, const Variable& k, const Variable& v,
                                   const DeltaOptions& options = {});

}  // namespace regard

#pragma once

#include "tensor/tensor.h"

namespace regard {

// How far one model is from another, in nats a token. Both say of the same places what may come next: log p and log q,
// (…, V). Everything is a mean over the places.

// H(p) = −Σ p·log p: what is left to chance, even for the one who knows p.
double entropy(const Tensor& log_p);

// D(p‖q) = Σ p·(log p − log q): what it costs to believe q where p is true. It is the cross-entropy −Σ p·log q minus
// the entropy, never less than 0, and 0 only where q is p (Kullback and Leibler 1951).
double divergence(const Tensor& log_p, const Tensor& log_q);

}  // namespace regard

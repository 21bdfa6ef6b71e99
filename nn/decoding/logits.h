#pragma once

#include "tensor/random/generator.h"
#include "tensor/tensor.h"

namespace regard::nn {

// What is done to logits before a token is chosen: each takes (B, V) and gives (B, V). Softmax of the result is the
// distribution that is drawn from; a logit of −∞ is a token that cannot come.

// x/t: below 1 the likely tokens become likelier still, above 1 all become more alike. Near 0 the most likely one
// always comes; 0 itself is refused, as most_likely() is that choice.
Tensor with_temperature(const Tensor& logits, double temperature);

Tensor keep_top_k(const Tensor& logits, std::int64_t k);  // only the k most likely tokens can come

// Only the most likely tokens can come: the fewest that have a probability of p together.
Tensor keep_top_p(const Tensor& logits, double p);

// Tokens that stand in `tokens` (B, n) already become less likely: their logits are divided by the penalty where they
// are positive, and multiplied by it elsewhere (Keskar et al., CTRL).
Tensor with_repetition_penalty(const Tensor& logits, const Tensor& tokens, double penalty);

// Throws where a logit is NaN or ∞, or where all are −∞. A rule may hide a NaN, so decoding asks before the rules.
void require_choice(const char* function, const Tensor& logits);

// The choice: logits (B, V) → tokens (B), i64. It is an error if there is none.

Tensor most_likely(const Tensor& logits);  // of equals the first

// Each sequence draws from its own generator, one number a token: so what it draws does not depend on the others.
Tensor draw_tokens(const Tensor& logits, std::vector<Generator>& generators);

}  // namespace regard::nn

#pragma once

#include "autograd/attention/fused_attention.h"

namespace regard {

// Weights for pictures, before dropout, without holding all: those of a few queries, (…, queries, Lk).
Tensor fused_weights(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                     const std::vector<std::int64_t>& queries, const FusedOptions& options = {});

}  // namespace regard

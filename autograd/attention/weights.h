#pragma once

#include "autograd/attention/fused_attention.h"

namespace regard {

// Weights for pictures, before dropout, without holding all: those of a few queries, (…, queries, Lk); or a map (…,
// height, width) of all of them, whose rows are means over neighbouring queries. They sum to 1, or to less where some
// of these queries see nothing.
Tensor fused_weights(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v,
                     const std::vector<std::int64_t>& queries, const FusedOptions& options = {});
Tensor fused_map(const FusedScore& score, const Variable& q, const Variable& k, const Variable& v, std::int64_t height,
                 std::int64_t width, const FusedOptions& options = {});

}  // namespace regard

#pragma once

#include "nn/attention/skeleton.h"

namespace regard::nn {

// Rows of weights, computed again by fused attention: those of some queries, (…, queries, Lk), without the others.
FusedOptions options_of(const FusedForm& form, const ResolvedMask& mask, std::int64_t offset);
Tensor weights_of(const FusedForm& form, const Variable& v, const ResolvedMask& mask, std::int64_t offset,
                  const std::vector<std::int64_t>& queries);
Tensor weights_of(const std::vector<FusedTerm>& terms, const Variable& v, const ResolvedMask& mask, std::int64_t offset,
                  const std::vector<std::int64_t>& queries);

// Their scores before softmax, with what the mask adds; masked pairs too.
Tensor scores_of(const FusedForm& form, const ResolvedMask& mask, std::int64_t offset,
                 const std::vector<std::int64_t>& queries);

std::vector<std::int64_t> all_queries(const Variable& q);

// The same with the numbers of now, cut off from parameters that may go on learning. `sequence`: of a batch that one
// alone is kept, as a batch of one; −1 for all.
FusedForm frozen(const FusedForm& form, std::int64_t offset, std::int64_t sequence);
std::vector<FusedTerm> frozen(const std::vector<FusedTerm>& terms, std::int64_t offset, std::int64_t sequence);
ResolvedMask frozen(const ResolvedMask& mask, const Shape& scores, std::int64_t sequence);
Tensor frozen(const Tensor& v, std::int64_t sequence);

}  // namespace regard::nn

#pragma once

#include "autograd/variable.h"

namespace regard::nn {

// What scores ask of their queries and keys.

void require_given(const char* score, const Variable& q, const Variable& k);

// For scores that take queries of one size and keys of another:
//   AdditiveScore: keys (2, 5, 7): they must be (…, Lk, 2)
void require_sizes(const char* score, const Variable& q, std::int64_t query_size, const Variable& k,
                   std::int64_t key_size);

// For scores that compare queries and keys feature by feature.
void require_same_features(const char* score, const Variable& q, const Variable& k);

}  // namespace regard::nn

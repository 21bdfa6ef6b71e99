#pragma once

#include "autograd/variable.h"

namespace regard::nn {

// For scores that compare queries and keys feature by feature.
inline void require_same_features(const char* score, const Variable& q, const Variable& k) {
  if (q.size(-1) != k.size(-1))
    fail<ShapeError>(
        "{}: q {}, k {}: queries and keys must have as many features (AdditiveScore and BilinearScore "
        "take different ones)",
        score, q.shape(), k.shape());
}

}  // namespace regard::nn

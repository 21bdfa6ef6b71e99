#pragma once

#include "tensor/attention/engine/inputs.h"

namespace regard::engine {

// What dropout multiplies weights by: 0, or 1/(1 − p). For `count` weights from `position` on, counted in (…, Lq, Lk).
template <class T>
void dropout_factors(const WeightDropout& dropout, std::int64_t position, std::int64_t count, T* factors);

}  // namespace regard::engine

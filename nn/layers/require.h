#pragma once

#include "autograd/variable.h"

#include <initializer_list>
#include <utility>

namespace regard::nn {

// What layers ask of their options and inputs.

using NamedSize = std::pair<const char*, std::int64_t>;

inline void require_positive(const char* layer, std::initializer_list<NamedSize> sizes) {
  for (const auto& [name, size] : sizes)
    if (size < 1) fail<ValueError>("{}: {} = {} must be 1 or more", layer, name, size);
}

inline void require_features(const char* layer, const Variable& x, std::int64_t count) {
  if (x.rank() < 1 || x.size(-1) != count)
    fail<ShapeError>("{}: {}: the last axis must have {} features", layer, x.shape(), count);
}

}  // namespace regard::nn

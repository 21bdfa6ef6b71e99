#include "nn/layers/require.h"

#include <cmath>

namespace regard::nn {

void require_positive(const char* layer, std::initializer_list<NamedSize> sizes) {
  for (const auto& [name, size] : sizes)
    if (size < 1) fail<ValueError>("{}: {} = {} must be 1 or more", layer, name, size);
}

void require_positive_or_0(const char* layer, std::initializer_list<NamedSize> sizes) {
  for (const auto& [name, size] : sizes)
    if (size < 0) fail<ValueError>("{}: {} = {} must be 1 or more, or 0 for the default", layer, name, size);
}

void require_epsilon(const char* layer, double epsilon) {
  if (!(epsilon >= 0 && std::isfinite(epsilon)))
    fail<ValueError>("{}: epsilon = {} must be finite, and 0 or more", layer, epsilon);
}

void require_features(const char* layer, const Variable& x, std::int64_t count) {
  require_defined(layer, x);
  if (x.rank() < 1 || x.size(-1) != count)
    fail<ShapeError>("{}: {}: the last axis must have {} features", layer, x.shape(), count);
}

}  // namespace regard::nn

#include "nn/attention/positions/alibi.h"

#include <bit>
#include <cmath>

namespace regard::nn {

Tensor alibi_slopes(std::int64_t heads, DType dtype) {
  if (heads < 1) fail<ValueError>("alibi_slopes: {} heads: there must be one or more", heads);
  const auto below = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(heads)));
  std::vector<double> slopes;
  for (std::int64_t h = 1; h <= below; ++h)
    slopes.push_back(std::exp2(-8.0 * static_cast<double>(h) / static_cast<double>(below)));
  for (std::int64_t h = 1; h <= heads - below; ++h)  // of 2·below: the 1st, 3rd, …
    slopes.push_back(std::exp2(-4.0 * static_cast<double>(2 * h - 1) / static_cast<double>(below)));
  return tensor(slopes, {heads, 1, 1}, dtype);
}

Tensor alibi_bias(std::int64_t heads, std::int64_t queries, std::int64_t keys, std::int64_t offset, DType dtype) {
  return alibi_slopes(heads, dtype) * -abs(distances_ahead(queries, keys, offset, dtype));
}

}  // namespace regard::nn

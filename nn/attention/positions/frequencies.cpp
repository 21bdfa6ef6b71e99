#include "nn/attention/positions/frequencies.h"

#include "tensor/error.h"

#include <cmath>

namespace regard::nn {

RotaryFrequencies rotary::plain(std::int64_t pairs, double base) {
  if (pairs < 1) fail<ValueError>("rotary::plain: {} pairs: there must be one or more", pairs);
  if (!(base > 0 && std::isfinite(base)))
    fail<ValueError>("rotary positions: the base {} of the frequencies must be above 0; 10000 is usual", base);
  RotaryFrequencies frequencies;
  for (std::int64_t j = 0; j < pairs; ++j)
    frequencies.of_pairs.push_back(std::pow(base, -static_cast<double>(j) / static_cast<double>(pairs)));
  return frequencies;
}

}  // namespace regard::nn

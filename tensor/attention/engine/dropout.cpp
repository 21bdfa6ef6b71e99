#include "tensor/attention/engine/dropout.h"

#include <cmath>

namespace regard::engine {

// Four weights share a position of the random stream, as in bernoulli().
template <class T>
void dropout_factors(const WeightDropout& dropout, std::int64_t position, std::int64_t count, T* factors) {
  const double keeps = 1 - dropout.p;
  const auto below = static_cast<std::uint64_t>(std::llround(keeps * 0x1p32));
  const T kept = static_cast<T>(1 / keeps);
  Generator::Draw bits{};
  for (std::int64_t j = 0; j < count; ++j, ++position) {
    if (j == 0 || position % 4 == 0)
      bits = dropout.generator.at(dropout.generator.position() + static_cast<std::uint64_t>(position / 4));
    const std::uint64_t two = position % 4 < 2 ? bits.first : bits.second;
    factors[j] = (position % 2 == 0 ? two >> 32 : two & 0xFFFFFFFF) < below ? kept : T{0};
  }
}

template void dropout_factors(const WeightDropout&, std::int64_t, std::int64_t, float*);
template void dropout_factors(const WeightDropout&, std::int64_t, std::int64_t, double*);

}  // namespace regard::engine

#include "tensor/random/random.h"
#include "tensor/threads/parallel.h"

#include <algorithm>
#include <cmath>

namespace regard {

// Each position of the stream has 128 bits, enough for four elements.
Tensor bernoulli(const Shape& shape, Generator& generator, double p, double value, DType dtype) {
  require_float("bernoulli", dtype);
  if (!(p >= 0 && p <= 1)) fail<ValueError>("bernoulli: the probability {} is outside [0, 1]", p);
  Tensor result = empty(shape, dtype);
  const std::int64_t count = result.numel(), positions = (count + 3) / 4;
  const std::uint64_t first = generator.take(static_cast<std::uint64_t>(positions));
  const std::uint64_t below = static_cast<std::uint64_t>(std::llround(p * 0x1p32));  // of 2³² equally likely numbers
  dispatch_float("bernoulli", dtype, [&]<class T>(T) {
    T* out = result.writable<T>();
    const T hit = static_cast<T>(value);
    parallel_for(positions, items_of_a_task(8), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const Generator::Draw bits = generator.at(first + static_cast<std::uint64_t>(i));
        const std::uint64_t numbers[] = {bits.first >> 32, bits.first & 0xFFFFFFFF, bits.second >> 32,
                                         bits.second & 0xFFFFFFFF};
        const std::int64_t room = std::min<std::int64_t>(4, count - 4 * i);
        for (std::int64_t k = 0; k < room; ++k) out[4 * i + k] = numbers[k] < below ? hit : T{0};
      }
    });
  });
  return result;
}

}  // namespace regard

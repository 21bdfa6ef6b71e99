#include "tensor/random/random.h"

#include "tensor/random/transforms.h"
#include "tensor/threads/parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace regard {
namespace {

template <class T, class F>
Tensor draw_numbers(const Shape& shape, Generator& generator, F f) {
  Tensor result = empty(shape, dtype_of<T>());
  const std::uint64_t first = generator.take(static_cast<std::uint64_t>(result.numel()));
  T* out = result.writable<T>();
  parallel_for(result.numel(), items_of_a_task(4), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) out[i] = f(generator.at(first + static_cast<std::uint64_t>(i)), T{});
  });
  return result;
}

template <class F>
Tensor draw(const char* operation, const Shape& shape, Generator& generator, DType dtype, F f) {
  return dispatch_float(operation, dtype, [&]<class T>(T) { return draw_numbers<T>(shape, generator, f); });
}

}  // namespace

Tensor uniform(const Shape& shape, Generator& generator, double low, double high, DType dtype) {
  if (!(low <= high) || !std::isfinite(high - low)) fail<ValueError>("uniform: [{}, {}) is not an interval", low, high);
  return draw("uniform", shape, generator, dtype, [=]<class T>(const Generator::Draw& bits, T) {
    const T value = static_cast<T>(affine(low, high - low, to_unit(bits.first)));
    const T bound = static_cast<T>(high);
    return value < bound || low == high ? value : std::nextafter(bound, static_cast<T>(low));  // rounded up to `high`
  });
}

Tensor normal(const Shape& shape, Generator& generator, double mean, double deviation, DType dtype) {
  if (!(deviation >= 0)) fail<ValueError>("normal: the standard deviation {} is negative", deviation);
  return draw("normal", shape, generator, dtype, [=]<class T>(const Generator::Draw& bits, T) {
    return static_cast<T>(affine(mean, deviation, to_normal(bits)));
  });
}

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

// The upper half of count·bits, a number of 128 bits, is count·u rounded down, with u in [0, 1) of 64 bits.
Tensor randint(const Shape& shape, Generator& generator, std::int64_t low, std::int64_t high) {
  if (low >= high) fail<ValueError>("randint: no whole number is in [{}, {})", low, high);
  const std::uint64_t count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  return draw_numbers<std::int64_t>(shape, generator, [=](const Generator::Draw& bits, std::int64_t) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(count) * bits.first;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + static_cast<std::uint64_t>(product >> 64));
  });
}

// Fisher and Yates: swap each element, from the last, with a random one not behind it.
Tensor permutation(std::int64_t n, Generator& generator) {
  if (n < 0) fail<ValueError>("permutation: the count {} is negative", n);
  Tensor result = empty({n}, DType::i64);
  std::int64_t* out = result.writable<std::int64_t>();
  std::iota(out, out + n, std::int64_t{0});
  const std::uint64_t first = generator.take(static_cast<std::uint64_t>(n));
  for (std::int64_t i = n - 1; i > 0; --i) {
    const double u = to_unit(generator.at(first + static_cast<std::uint64_t>(i)).first);
    std::swap(out[i], out[static_cast<std::int64_t>(u * static_cast<double>(i + 1))]);
  }
  return result;
}

}  // namespace regard

// What this machine can do at most, for the picture: multiply-adds on numbers in registers, and the triad x = y + c·z
// on numbers in memory.
#include "tensor/threads/parallel.h"
#include "tests/bench/measure.h"

#include <benchmark/benchmark.h>

namespace regard::bench {
namespace {

// As many sums as hide the time a multiply-add takes: eight registers full.
constexpr int lanes = 8 * 16;
constexpr int steps = 1 << 18;

float multiply_adds(float factor) {
  float sums[lanes];
  for (int i = 0; i < lanes; ++i) sums[i] = static_cast<float>(i);
  for (int step = 0; step < steps; ++step)
#pragma GCC unroll 128
    for (int i = 0; i < lanes; ++i) sums[i] = sums[i] * factor + factor;
  float total = 0;
  for (const float sum : sums) total += sum;
  return total;
}

void triad(float* x, const float* y, const float* z, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) x[i] = y[i] + 0.5f * z[i];
}

}  // namespace

void register_measurements() {
  for (const int threads : {1, 2}) {
    measure({"limits/multiply_add", threads}, "regard", {2.0 * lanes * steps * threads, 0}, [=] {
      return [=] {
        parallel_for(threads, 1, [](std::int64_t, std::int64_t) { benchmark::DoNotOptimize(multiply_adds(0.5f)); });
      };
    });
    constexpr std::int64_t count = 1 << 24;
    measure({"limits/triad", threads}, "regard", {2.0 * count, 3.0 * count * sizeof(float)}, [=] {
      const Tensor y = operand({count}), z = operand({count}, 1);
      Tensor x = empty({count}, DType::f32);
      return [=]() mutable {
        float* to = x.writable<float>();
        const float *from_y = y.data<float>(), *from_z = z.data<float>();
        parallel_for(count, 1 << 16,
                     [&](std::int64_t begin, std::int64_t end) { triad(to, from_y, from_z, begin, end); });
      };
    });
  }
}

}  // namespace regard::bench

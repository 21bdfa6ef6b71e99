// What surrounds computing: handing work to threads, awake and asleep, and getting memory.
#include "tensor/ops/matmul.h"
#include "tensor/threads/parallel.h"
#include "tests/bench/measure.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace regard::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Two tasks that wait for each other: no thread can do both. One that waits in vain gives up.
void meet() {
  std::atomic<int> present = 0;
  parallel_for(2, 1, [&](std::int64_t, std::int64_t) {
    present.fetch_add(1);
    const auto start = Clock::now();
    while (present.load() < 2 && seconds_since(start) < 1e-3) {
    }
  });
}

// A product after a pause.
double after_idleness(int threads) {
  const Tensor a = operand({256, 256}), b = operand({256, 256}, 1);
  set_thread_count(threads);
  matmul(a, b);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const auto start = Clock::now();
  matmul(a, b);
  return seconds_since(start);
}

}  // namespace

void register_measurements() {
  measure({"parallel_for/nothing", 2}, "regard", {},
          [] { return [] { parallel_for(2, 1, [](std::int64_t, std::int64_t) {}); }; });
  measure({"parallel_for/meeting", 2}, "regard", {}, [] { return meet; });
  measure_seconds({"after_idleness/256", 2}, "regard", [] { return after_idleness(2); });
  measure_seconds({"after_idleness/256", 2}, "one_thread", [] { return after_idleness(1); });
  for (const int threads : {1, 2})
    measure({"recycling/64MiB", threads}, "regard", {}, [] { return [] { empty({16 << 20}, DType::f32); }; });
}

}  // namespace regard::bench

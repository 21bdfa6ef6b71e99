#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace regard::threads {

// How long a thread looks again and again for what it waits for, before it sleeps. Waking a sleeper takes up to a
// hundred times as long as handing work to a thread that looks; but a thread that looks keeps a processor busy.
inline constexpr std::chrono::nanoseconds patience = std::chrono::milliseconds(10), no_patience{0};
// After so long it offers its processor to other threads between two looks.
inline constexpr std::chrono::nanoseconds eagerness = std::chrono::microseconds(50);

// A number that threads wait on until it changes. Whoever changes it has to wake the sleepers, and nobody else: waking
// is a system call.
class Signal {
 public:
  int value() const { return value_.load(); }
  int sleepers() const { return sleepers_.load(); }
  void add(int change) { value_.fetch_add(change); }

  // Nobody may fall asleep just when the number changes. So a thread counts itself among the sleepers, then looks at
  // the number once more (`wait` does) and sleeps; who changes the number does so first, and then counts the sleepers.
  // Either the one sees the change, or the other sees the sleeper. (All of this is sequentially consistent.)
  void wait_while(int old, std::chrono::nanoseconds spinning) {
    const auto start = std::chrono::steady_clock::now();
    while (value() == old) {
      const auto waited = std::chrono::steady_clock::now() - start;
      if (waited > eagerness) std::this_thread::yield();
      if (waited < spinning) continue;
      sleepers_.fetch_add(1);
      value_.wait(old);
      sleepers_.fetch_sub(1);
    }
  }

  void wake(int count) {
    if (count > 1 && count >= sleepers()) return value_.notify_all();
    for (; count > 0; --count) value_.notify_one();
  }

 private:
  std::atomic<int> value_{0}, sleepers_{0};
};

}  // namespace regard::threads

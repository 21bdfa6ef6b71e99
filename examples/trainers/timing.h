#pragma once

#include "tensor/threads/parallel.h"

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <vector>

// How trainers measure times.
namespace regard {

// While it lives, all is computed on the thread that asks for it. A second one would take processor time while it
// waits.
class OneThread {
 public:
  OneThread() { set_thread_count(1); }
  ~OneThread() { set_thread_count(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_ = thread_count();
};

// Milliseconds of processor time, of all threads together: what other programs do does not count.
template <class Run>
double processor_milliseconds(const Run& run) {
  const std::clock_t start = std::clock();
  run();
  return 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// The one in the middle, of two the larger; 0 if there is none.
inline double median(std::vector<double> numbers) {
  if (numbers.empty()) return 0;
  const auto middle = numbers.begin() + std::ssize(numbers) / 2;
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

}  // namespace regard

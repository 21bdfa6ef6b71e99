#pragma once

#include <algorithm>
#include <cstdint>

namespace regard {

// A reference to something callable, without the allocation and the copy of std::function.
template <class... Args>
class FunctionRef {
 public:
  template <class F>
  FunctionRef(const F& f)  // NOLINT: implicit, so that a lambda can be passed
      : object_(&f), call_([](const void* object, Args... args) { (*static_cast<const F*>(object))(args...); }) {}
  void operator()(Args... args) const { call_(object_, args...); }

 private:
  const void* object_;
  void (*call_)(const void*, Args...);
};
using RangeBody = FunctionRef<std::int64_t, std::int64_t>;  // (begin, end)

void run_tasks(std::int64_t count, std::int64_t grain, RangeBody body);  // the pool; use parallel_for

// Calls body(begin, end) for [0, count) cut into tasks of `grain`, on all threads. The cut depends on count and grain
// alone, so results are the same for any number of threads as long as each task writes only what is its own. A call
// from inside a task runs on that task's thread. An exception in a body reaches the caller once all threads are done.
template <class Body>
void parallel_for(std::int64_t count, std::int64_t grain, const Body& body) {
  if (count <= 0) return;
  if (count <= grain) return body(std::int64_t{0}, count);
  run_tasks(count, grain, RangeBody(body));
}

// How many items make a task, by the work of one. Work is counted in numbers that are read, changed and written; a task
// of 2^14 takes some microseconds, so that handing it out does not matter. A product of matrices does 32 multiply-adds
// in the time of one such number. Sizes alone decide, and not the number of threads.
inline constexpr std::int64_t work_of_a_task = 1 << 14, multiply_adds_of_a_number = 32;
inline std::int64_t items_of_a_task(std::int64_t work_of_an_item) {
  return std::max<std::int64_t>(1, work_of_a_task / std::max<std::int64_t>(1, work_of_an_item));
}

int thread_count();                // how many threads share the work: the hardware's number, or REGARD_THREADS
void set_thread_count(int count);  // 1 … 256

}  // namespace regard

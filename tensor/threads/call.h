#pragma once

#include "tensor/threads/flush.h"
#include "tensor/threads/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

namespace regard::threads {

inline constexpr int most_threads = 256;

// True on a thread that is busy with a task: a parallel_for in there is not shared out once more.
inline constinit thread_local bool inside_a_task = false;

// One parallel_for: the tasks that nobody has taken yet, and the first exception.
//
// Each thread has a share of the tasks, the same part of the whole in every call: what it left in the caches of its
// core it finds there when the same memory is used again. When it has done its share, it helps with those of others.
class Call {
 public:
  Call(RangeBody body, std::int64_t count, std::int64_t grain, int threads)
      : body_(body), count_(count), grain_(grain), tasks_((count - 1) / grain + 1), threads_(threads) {
    for (int share = 0; share < threads; ++share) next_[share].store(begin_of(share), std::memory_order_relaxed);
  }

  std::int64_t tasks() const { return tasks_; }

  // Returns when there is no task left to take; others may still be busy with theirs.
  void work(int thread) {
    set_flush_mode(flush_mode_);
    const bool outer = std::exchange(inside_a_task, true);
    for (int i = 0; i < threads_; ++i) work_on((thread + i) % threads_);
    inside_a_task = outer;
  }

  void rethrow_error() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  // If the tasks do not divide evenly, the first threads get one more: thread 0, the caller, is awake for certain.
  std::int64_t begin_of(int share) const {
    return tasks_ / threads_ * share + std::min<std::int64_t>(share, tasks_ % threads_);
  }

  // Tasks are taken in runs of neighbours, a quarter of what is left of the share each time: long runs at first, so
  // that a thread reads memory in long stretches, and short ones in the end, so that helpers find something to do.
  void work_on(int share) {
    std::atomic<std::int64_t>& next = next_[share];
    const std::int64_t end = begin_of(share + 1);
    for (std::int64_t task = next.load(std::memory_order_relaxed); task < end;) {
      const std::int64_t end_of_run = task + std::max<std::int64_t>(1, (end - task) / 4);
      if (!next.compare_exchange_weak(task, end_of_run, std::memory_order_relaxed)) continue;
      try {
        for (; task < end_of_run; ++task) {
          const std::int64_t begin = task * grain_;
          body_(begin, begin + std::min(grain_, count_ - begin));
        }
      } catch (...) {
        std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        for (int i = 0; i < threads_; ++i) next_[i].store(tasks_, std::memory_order_relaxed);  // none are left to take
      }
      task = next.load(std::memory_order_relaxed);
    }
  }

  RangeBody body_;
  std::int64_t count_, grain_, tasks_;
  int threads_;
  std::uint64_t flush_mode_ = flush_mode();                   // the caller's
  std::array<std::atomic<std::int64_t>, most_threads> next_;  // task to be taken, of each share
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace regard::threads

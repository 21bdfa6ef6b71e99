#include "tensor/parallel.h"

#include "tensor/error.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace regard {
namespace {

constexpr int most_threads = 256;

// How long a worker looks for the next call before it sleeps. Waking a sleeper costs about ten times what handing
// work to a spinning one does; spinning for ever would steal the processor from others.
constexpr auto patience = std::chrono::microseconds(50);

thread_local bool inside_a_task = false;

// One parallel_for: the tasks not yet taken, and the first exception.
struct Call {
  RangeBody body;
  std::int64_t count, grain;
  std::int64_t tasks = (count - 1) / grain + 1;
  std::atomic<std::int64_t> next{0};
  std::mutex mutex{};
  std::exception_ptr error{};

  // Tasks are taken one at a time by whoever is free, so a slow core takes fewer.
  void work() {
    const bool outer = std::exchange(inside_a_task, true);
    for (;;) {
      const std::int64_t task = next.fetch_add(1, std::memory_order_relaxed);
      if (task >= tasks) break;
      try {
        const std::int64_t begin = task * grain;
        body(begin, begin + std::min(grain, count - begin));
      } catch (...) {
        std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
        next.store(tasks, std::memory_order_relaxed);  // the others need not go on
      }
    }
    inside_a_task = outer;
  }
};

// Threads that wait for a call, join in, and report when they have left it.
class Pool {
 public:
  explicit Pool(int wanted) : wanted_(wanted) {
    try {
      for (int i = 0; i < wanted; ++i) threads_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
      // The system gives no more: those there are will do.
    }
  }

  ~Pool() {
    announce(nullptr);
    for (auto& thread : threads_) thread.join();
  }

  int wanted() const { return wanted_; }
  bool in_this_process() const { return process_ == ::getpid(); }

  void run(Call& call) {
    inside_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
    announce(&call);
    call.work();
    // `call` lives on this stack: nobody may be inside it any more when we return.
    while (inside_.load(std::memory_order_acquire) != 0) std::this_thread::yield();
  }

 private:
  void announce(Call* call) {
    {
      std::lock_guard lock(mutex_);
      call_ = call;
      turn_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
  }

  void serve() {
    for (std::uint64_t seen = 0;; ++seen) {
      await_turn_after(seen);
      Call* call = call_;  // written before the turn was announced
      if (!call) return;
      call->work();
      inside_.fetch_sub(1, std::memory_order_release);
    }
  }

  void await_turn_after(std::uint64_t seen) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (turn_.load(std::memory_order_acquire) == seen) {
      if (std::chrono::steady_clock::now() < deadline) continue;
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return turn_.load(std::memory_order_acquire) != seen; });
    }
  }

  const int wanted_;
  const ::pid_t process_ = ::getpid();
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<std::uint64_t> turn_{0};
  std::atomic<int> inside_{0};
  Call* call_ = nullptr;
};

int initial_thread_count() {
  if (const char* wish = std::getenv("REGARD_THREADS")) {
    const int count = std::atoi(wish);
    if (count >= 1 && count <= most_threads) return count;
  }
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, most_threads);
}

std::mutex& pool_mutex() {  // one parallel_for at a time; a second caller works alone
  static std::mutex mutex;
  return mutex;
}

std::atomic<int>& wanted_threads() {
  static std::atomic<int> count{initial_thread_count()};
  return count;
}

// The pool is left to the end of the process: destructors of static objects may still want it. A forked child has none
// of its parent's threads and starts anew.
Pool& pool_for(int workers) {
  static Pool* pool = nullptr;
  if (pool && !pool->in_this_process()) pool = nullptr;
  if (pool && pool->wanted() != workers) delete std::exchange(pool, nullptr);
  if (!pool) pool = new Pool(workers);
  return *pool;
}

}  // namespace

void run_tasks(std::int64_t count, std::int64_t grain, RangeBody body) {
  Call call{body, count, std::max<std::int64_t>(grain, 1)};
  const int workers = wanted_threads().load(std::memory_order_relaxed) - 1;
  std::unique_lock lock(pool_mutex(), std::defer_lock);
  if (workers == 0 || inside_a_task || !lock.try_lock()) {
    call.work();
  } else {
    pool_for(workers).run(call);
  }
  if (call.error) std::rethrow_exception(call.error);
}

int thread_count() { return wanted_threads().load(std::memory_order_relaxed); }

void set_thread_count(int count) {
  if (count < 1 || count > most_threads)
    fail<ValueError>("set_thread_count: {} is outside [1, {}]", count, most_threads);
  wanted_threads().store(count, std::memory_order_relaxed);
}

}  // namespace regard

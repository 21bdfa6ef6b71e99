#include "tensor/threads/parallel.h"

#include "tensor/error.h"
#include "tensor/threads/call.h"
#include "tensor/threads/signal.h"

#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

// parallel_for from the inside. The thread that calls it is thread 0, and works too; the others are workers, who wait
// in a pool. A Call (call.h) holds the tasks, a Signal (signal.h) is what threads wait on.

namespace regard {
namespace {

using threads::Call, threads::inside_a_task, threads::most_threads, threads::no_patience, threads::patience,
    threads::Signal;

// The workers: threads that wait for a call, and then work on it together with the caller.
class Pool {
 public:
  explicit Pool(int wanted) : wanted_(wanted) {
    const auto processors = static_cast<int>(std::thread::hardware_concurrency());
    try {
      // Workers beyond the number of processors sleep at once: looking for work, they would keep others from working.
      for (int i = 0; i < wanted; ++i)
        threads_.emplace_back([=, this] { serve(i + 1, i + 1 < processors ? patience : no_patience); });
    } catch (const std::system_error&) {
      // The system gives no more: those there are will do.
    }
  }

  ~Pool() {
    stopping_.store(true);
    turn_.add(1);
    turn_.wake(turn_.sleepers());
    for (auto& thread : threads_) thread.join();
  }

  int wanted() const { return wanted_; }

  // Opens the call to the workers, works, and closes it. A worker that comes late finds it closed; the caller waits
  // only for those that are inside.
  void run(Call& call) {
    call_.store(&call);
    turn_.add(1);
    wake_workers_for(call.tasks() - 1);
    call.work(0);
    call_.store(nullptr);
    while (const int inside = inside_.value()) inside_.wait_while(inside, patience);
  }

 private:
  // Wakes as many as the tasks need, less those that are awake.
  void wake_workers_for(std::int64_t tasks) {
    const auto all = static_cast<int>(threads_.size()), asleep = turn_.sleepers();
    const auto useful = static_cast<int>(std::min<std::int64_t>(tasks, all));
    turn_.wake(useful - (all - asleep));
  }

  // The call must not go away while a worker is inside. So a worker counts itself as inside before it looks whether
  // there is a call; and the caller takes the call away before it looks whether somebody is inside.
  void serve(int thread, std::chrono::nanoseconds wait) {
    for (int seen = 0; !stopping_.load();) {
      turn_.wait_while(seen, wait);
      seen = turn_.value();
      inside_.add(1);
      if (Call* call = call_.load()) call->work(thread);
      inside_.add(-1);
      if (inside_.sleepers() > 0) inside_.wake(1);
    }
  }

  const int wanted_;
  std::atomic<Call*> call_{nullptr};
  std::atomic<bool> stopping_{false};
  Signal turn_, inside_;  // how many calls there have been; how many workers may be inside the present one
  std::vector<std::thread> threads_;
};

int initial_thread_count() {
  if (const char* wish = std::getenv("REGARD_THREADS")) {
    const int count = std::atoi(wish);
    if (count >= 1 && count <= most_threads) return count;
  }
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, most_threads);
}

std::atomic<int>& wanted_threads() {
  static std::atomic<int> count{initial_thread_count()};
  return count;
}

// The pool, and who may use it: one call at a time. A second caller works alone. It is never destroyed, as destructors
// of static objects may still want it.
struct Workspace {
  std::mutex mutex;
  Pool* pool = nullptr;

  void run(Call& call, int workers) {
    if (pool && pool->wanted() != workers) delete std::exchange(pool, nullptr);
    if (!pool) pool = new Pool(workers);
    pool->run(call);
  }
};

// A forked child has none of its parent's threads, so it starts anew.
Workspace& workspace() {
  static Workspace* space = [] {
    ::pthread_atfork(nullptr, nullptr, [] { space = new Workspace; });
    return new Workspace;
  }();
  return *space;
}

}  // namespace

void run_tasks(std::int64_t count, std::int64_t grain, RangeBody body) {
  const int threads = thread_count(), workers = threads - 1;
  Call call(body, count, std::max<std::int64_t>(grain, 1), threads);
  Workspace& space = workspace();
  std::unique_lock lock(space.mutex, std::defer_lock);
  if (workers == 0 || inside_a_task || !lock.try_lock())
    call.work(0);
  else
    space.run(call, workers);
  call.rethrow_error();
}

int thread_count() { return wanted_threads().load(std::memory_order_relaxed); }

void set_thread_count(int count) {
  if (count < 1 || count > most_threads)
    fail<ValueError>("set_thread_count: {} is outside [1, {}]", count, most_threads);
  wanted_threads().store(count, std::memory_order_relaxed);
}

}  // namespace regard

#include "tensor/threads/parallel.h"

#include "tensor/error.h"
#include "tensor/threads/placement.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
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

// How long a thread looks for what it waits for before it sleeps. To wake a sleeper takes up to a hundred times as long as
// to hand work to one who looks; to look for ever would be a waste. After the first moments it lets others go first.
constexpr std::chrono::nanoseconds patience = std::chrono::milliseconds(10), no_patience{0};
constexpr std::chrono::nanoseconds eagerness = std::chrono::microseconds(50);

thread_local bool inside_a_task = false;

// One parallel_for: the tasks not yet taken, and the first exception.
class Call {
 public:
  Call(RangeBody body, std::int64_t count, std::int64_t grain, int threads)
      : body_(body), count_(count), grain_(grain), tasks_((count - 1) / grain + 1), threads_(threads) {
    for (int share = 0; share < threads; ++share) next_[share].store(begin_of(share), std::memory_order_relaxed);
  }

  std::int64_t tasks() const { return tasks_; }

  // Each thread has a share, the same part of the whole in every call: what it left in the caches of its core it finds there
  // when the same memory is used again. Who is done with that helps with the shares of others.
  void work(int thread) {
    const bool outer = std::exchange(inside_a_task, true);
    for (int i = 0; i < threads_; ++i) work_on((thread + i) % threads_);
    inside_a_task = outer;
  }

  void rethrow_error() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  // What does not divide evenly goes to the first: the thread that calls is awake for certain.
  std::int64_t begin_of(int share) const {
    return tasks_ / threads_ * share + std::min<std::int64_t>(share, tasks_ % threads_);
  }

  // Tasks are taken in runs of neighbours, so that each thread reads memory in long stretches; the runs become shorter
  // towards the end, so that helpers find something to do.
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
        for (int i = 0; i < threads_; ++i) next_[i].store(tasks_, std::memory_order_relaxed);  // nobody need go on
      }
      task = next.load(std::memory_order_relaxed);
    }
  }

  RangeBody body_;
  std::int64_t count_, grain_, tasks_;
  int threads_;
  std::array<std::atomic<std::int64_t>, most_threads> next_;  // of each share
  std::mutex mutex_;
  std::exception_ptr error_;
};

// A number that threads wait on: first they look again and again, then they sleep. Who changes it pays for a system call
// only if somebody sleeps.
class Signal {
 public:
  int value() const { return value_.load(); }
  int sleepers() const { return sleepers_.load(); }
  void add(int change) { value_.fetch_add(change); }

  // Sleepers count themselves before they look at the number for the last time, and the number is changed before they
  // are counted: so either they see the change or they are seen. (All of this is sequentially consistent.)
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

// Threads that wait for a call and join in.
class Pool {
 public:
  explicit Pool(int wanted) : wanted_(wanted) {
    const auto processors = static_cast<int>(std::thread::hardware_concurrency());
    try {
      // Workers beyond the number of processors would keep others from working by looking for work.
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

  // A worker that comes late finds the call closed: the caller waits only for those that are inside.
  void run(Call& call) {
    make_way_for_workers();
    call_.store(&call);
    turn_.add(1);
    wake_workers_for(call.tasks() - 1);
    call.work(0);
    call_.store(nullptr);
    while (const int inside = inside_.value()) inside_.wait_while(inside, patience);
  }

 private:
  // A woken thread is often put on the processor of the thread that woke it, to run when that one has finished.
  void make_way_for_workers() {
    const int here = current_processor();
    if (here != avoided_) keep_off(here, threads_);
    avoided_ = here;
  }

  void wake_workers_for(std::int64_t tasks) {
    const auto all = static_cast<int>(threads_.size()), asleep = turn_.sleepers();
    const auto useful = static_cast<int>(std::min<std::int64_t>(tasks, all));
    turn_.wake(useful - (all - asleep));
  }

  // A worker counts itself as inside before it looks whether there is a call, and the caller takes the call away before
  // it looks whether somebody is inside.
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
  int avoided_ = -1;      // the processor that workers were last kept off
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

// One call at a time has the pool; a second caller works alone. All of this is left to the end of the process:
// destructors of static objects may still want it.
struct Workplace {
  std::mutex mutex;
  Pool* pool = nullptr;

  void run(Call& call, int workers) {
    if (pool && pool->wanted() != workers) delete std::exchange(pool, nullptr);
    if (!pool) pool = new Pool(workers);
    pool->run(call);
  }
};

// A forked child has none of its parent's threads, so it starts anew.
Workplace& workplace() {
  static Workplace* place = [] {
    ::pthread_atfork(nullptr, nullptr, [] { place = new Workplace; });
    return new Workplace;
  }();
  return *place;
}

}  // namespace

void run_tasks(std::int64_t count, std::int64_t grain, RangeBody body) {
  const int threads = wanted_threads().load(std::memory_order_relaxed), workers = threads - 1;
  Call call(body, count, std::max<std::int64_t>(grain, 1), threads);
  Workplace& place = workplace();
  std::unique_lock lock(place.mutex, std::defer_lock);
  if (workers == 0 || inside_a_task || !lock.try_lock()) {
    call.work(0);
  } else {
    place.run(call, workers);
  }
  call.rethrow_error();
}

int thread_count() { return wanted_threads().load(std::memory_order_relaxed); }

void set_thread_count(int count) {
  if (count < 1 || count > most_threads)
    fail<ValueError>("set_thread_count: {} is outside [1, {}]", count, most_threads);
  wanted_threads().store(count, std::memory_order_relaxed);
}

}  // namespace regard

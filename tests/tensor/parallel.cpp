#include "tensor/threads/parallel.h"

#include "tensor/error.h"
#include "tests/catch.h"
#include "tests/tensor/threads.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace regard {

using Range = std::pair<std::int64_t, std::int64_t>;

TEST_CASE("parallel: every index once, for many counts, grains and threads", "[threads]") {
  for (int count : {1, 2, 3, 5, 8}) {
    const Threads threads(count);
    for (std::int64_t n : {0, 1, 2, 7, 64, 100, 1001})
      for (std::int64_t grain : {1, 2, 3, 64, 1000, 5000}) {
        CAPTURE(count, n, grain);
        CHECK(covers_once(n, grain));
      }
  }
}

TEST_CASE("parallel: the cut depends on count and grain alone", "[threads]") {
  const std::set<Range> expected{{0, 4}, {4, 8}, {8, 10}};
  for (int count : {1, 2, 5}) {
    const Threads threads(count);
    std::mutex mutex;
    std::set<Range> ranges;
    parallel_for(10, 4, [&](std::int64_t begin, std::int64_t end) {
      const std::lock_guard lock(mutex);
      ranges.insert({begin, end});
    });
    CHECK(ranges == expected);
  }
}

TEST_CASE("parallel: nothing to do, and a single task, take no pool") {
  int calls = 0;
  parallel_for(0, 10, [&](auto, auto) { ++calls; });
  parallel_for(-5, 10, [&](auto, auto) { ++calls; });
  CHECK(calls == 0);
  std::thread::id where;
  parallel_for(10, 10, [&](auto begin, auto end) {
    where = std::this_thread::get_id();
    CHECK(begin == 0);
    CHECK(end == 10);
  });
  CHECK(where == std::this_thread::get_id());
}

TEST_CASE("parallel: a grain of nothing is taken as one", "[threads]") {
  const Threads threads(3);
  CHECK(covers_once(20, 0));
  CHECK(covers_once(20, -7));
}

TEST_CASE("parallel: a call inside a task runs on its thread", "[threads]") {
  const Threads threads(4);
  std::atomic<int> sum{0}, strays{0};
  parallel_for(8, 1, [&](auto, auto) {
    const auto here = std::this_thread::get_id();
    parallel_for(100, 1, [&](std::int64_t begin, std::int64_t end) {
      sum += static_cast<int>(end - begin);
      if (std::this_thread::get_id() != here) ++strays;
    });
  });
  CHECK(sum == 800);
  CHECK(strays == 0);
}

TEST_CASE("parallel: an exception reaches the caller, and the pool works on", "[threads]") {
  for (int count : {1, 2, 5}) {
    const Threads threads(count);
    for (std::int64_t bad : {0, 50, 99}) {
      std::string message;
      try {
        parallel_for(100, 1, [bad](std::int64_t begin, std::int64_t) {
          if (begin == bad) throw std::runtime_error("task " + std::to_string(begin));
        });
      } catch (const std::runtime_error& error) {
        message = error.what();
      }
      CHECK(message == "task " + std::to_string(bad));
      CHECK(covers_once(100, 1));
    }
    CHECK_THROWS_AS(parallel_for(100, 1, [](auto, auto) { throw ValueError("all of them"); }), ValueError);
    CHECK(covers_once(1000, 7));
  }
}

TEST_CASE("parallel: an exception from a call inside a task goes out through both", "[threads]") {
  const Threads threads(3);
  const auto inner = [](std::int64_t begin, std::int64_t) {
    if (begin == 5) throw ShapeError("inner");
  };
  CHECK_THROWS_AS(parallel_for(4, 1, [&](auto, auto) { parallel_for(10, 1, inner); }), ShapeError);
  CHECK(covers_once(100, 3));
}

TEST_CASE("parallel: several threads may call at once", "[threads]") {
  const Threads threads(3);
  std::atomic<int> good{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int i = 0; i < 50; ++i)
        if (covers_once(200, 9)) ++good;
    });
  for (auto& caller : callers) caller.join();
  CHECK(good == 200);
}

TEST_CASE("parallel: many short calls in a row, with workers asleep and awake", "[threads]") {
  const Threads threads(4);
  int good = 0;
  for (int i = 0; i < 300; ++i) {
    if (i % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(15));  // longer than a worker's patience
    good += covers_once(16, 1);
  }
  CHECK(good == 300);
}

TEST_CASE("parallel: the number of threads can be changed at any time", "[threads]") {
  const Threads restore(2);
  for (int count : {1, 8, 2, 16, 1, 3}) {
    set_thread_count(count);
    CHECK(thread_count() == count);
    CHECK(covers_once(500, 11));
  }
  for (int count : {0, -1, 257}) CHECK_THROWS_AS(set_thread_count(count), ValueError);
  CHECK(thread_count() == 3);
}

TEST_CASE("a range that reaches to the end of i64 is cut without wrapping", "[threads]") {
  std::atomic<int> tasks{0};
  parallel_for(INT64_MAX, std::int64_t{1} << 62,
               [&](std::int64_t begin, std::int64_t end) { tasks += begin >= 0 && begin < end ? 1 : 1000; });
  CHECK(tasks == 2);
  for (int count : {1, 2, 3, 8}) {
    const Threads threads(count);
    const auto refuse = [](std::int64_t begin, std::int64_t end) {
      throw std::runtime_error(begin >= 0 && end == begin + 1 ? "a task" : "no task");
    };
    CHECK_THROWS_WITH(parallel_for(INT64_MAX, 1, refuse), "a task");
  }
}

TEST_CASE("parallel: as many threads as may be, with more and with fewer tasks", "[threads]") {
  const Threads threads(256);
  CHECK(covers_once(1000, 1));
  CHECK(covers_once(3, 1));
}

}  // namespace regard

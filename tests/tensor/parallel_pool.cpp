// The pool behind parallel_for in hard times: too many threads, too many callers, a fork, workers that come late.
#include "tensor/error.h"
#include "tests/catch.h"
#include "tests/tensor/threads.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <ctime>
#include <stdexcept>
#include <thread>

namespace regard {

namespace {

constexpr auto a_while = std::chrono::milliseconds(15);  // longer than any thread looks for work

// Each task waits for all others, so this returns only if as many threads meet.
int threads_that_meet(int count) {
  std::atomic<int> inside{0};
  parallel_for(count, 1, [&](auto, auto) {
    inside.fetch_add(1);
    while (inside.load() < count) std::this_thread::yield();
  });
  return inside;
}

}  // namespace

TEST_CASE("pool: many more threads than processors, over many short calls", "[threads]") {
  const Threads threads(32);
  int good = 0;
  for (int i = 0; i < 100; ++i) {
    if (i % 20 == 0) std::this_thread::sleep_for(a_while);
    good += covers_once(64, 1);
  }
  CHECK(good == 100);
}

TEST_CASE("pool: a call returns when its slowest task is done", "[threads]") {
  const Threads threads(4);
  for (int slow = 0; slow < 4; ++slow) {
    std::atomic<int> done{0};
    parallel_for(4, 1, [&](std::int64_t begin, std::int64_t) {
      if (begin == slow) std::this_thread::sleep_for(a_while);
      done.fetch_add(1);
    });
    CHECK(done == 4);
  }
}

TEST_CASE("pool: workers join in when they were asleep", "[threads]") {
  const Threads threads(3);
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(a_while);
    CHECK(threads_that_meet(3) == 3);
  }
}

TEST_CASE("pool: a thread has the same share in every call", "[threads]") {
  constexpr int count = 4;
  const Threads threads(count);
  std::array<std::thread::id, count> first;
  for (int call = 0; call < 6; ++call) {
    if (call % 2) std::this_thread::sleep_for(a_while);
    std::array<std::thread::id, count> who;
    std::atomic<int> inside{0};
    parallel_for(count, 1, [&](std::int64_t task, auto) {
      who[static_cast<std::size_t>(task)] = std::this_thread::get_id();
      inside.fetch_add(1);
      while (inside.load() < count) std::this_thread::yield();  // so that nobody can help with the share of another
    });
    if (call == 0) first = who;
    CHECK(who[0] == std::this_thread::get_id());
    CHECK(who == first);
  }
}

TEST_CASE("pool: workers with nothing to do use no processor time", "[threads]") {
  const Threads threads(2);
  CHECK(threads_that_meet(2) == 2);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const std::clock_t before = std::clock();  // of all threads of this process
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC < 0.005);
}

TEST_CASE("pool: calls, exceptions and changes of the number of threads from several threads", "[threads]") {
  const Threads threads(3);
  std::atomic<int> good{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([caller, &good] {
      for (int i = 0; i < 30; ++i) {
        if (i % 10 == 0) set_thread_count(2 + (caller + i / 10) % 4);
        try {
          parallel_for(40, 1, [&](std::int64_t begin, std::int64_t) {
            if (begin == i) throw ValueError("one task of them");
            if (!covers_once(10, 3)) throw std::logic_error("a nested call missed some");
          });
        } catch (const ValueError&) {
          good.fetch_add(1);
        }
        good += covers_once(100, 7);
      }
    });
  for (auto& caller : callers) caller.join();
  CHECK(good == 4 * 30 * 2);
}

#ifndef REGARD_SANITIZED  // sanitizers do not follow a program with threads through a fork
TEST_CASE("pool: a forked child has workers of its own, and the parent keeps its own", "[threads]") {
  const Threads threads(3);
  REQUIRE(threads_that_meet(3) == 3);
  const ::pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);  // should it wait for threads that stayed with the parent
    ::_exit(threads_that_meet(3));
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 3);
  CHECK(threads_that_meet(3) == 3);
}
#endif

}  // namespace regard

// Workers keep off the caller's processor, and never leave those that the caller may use.
#include "tensor/threads/placement.h"

#include "tests/catch.h"
#include "tests/tensor/threads.h"

#ifdef __linux__
#include <sched.h>

namespace regard {

namespace {

cpu_set_t allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  REQUIRE(::sched_getaffinity(0, sizeof set, &set) == 0);
  return set;
}

bool is_subset(const cpu_set_t& part, const cpu_set_t& whole) {
  cpu_set_t both;
  CPU_AND(&both, &part, &whole);
  return CPU_EQUAL(&both, &part);
}

// The processors that each of `count` threads may use, the caller first.
std::vector<cpu_set_t> sets_of_threads(int count) {
  const Threads threads(count);
  std::vector<cpu_set_t> sets{allowed()};
  const auto caller = std::this_thread::get_id();
  std::atomic<int> inside{0};
  cpu_set_t of_worker = sets[0];
  parallel_for(2, 1, [&](auto, auto) {
    if (std::this_thread::get_id() != caller) of_worker = allowed();
    inside.fetch_add(1);
    while (inside.load() < 2) std::this_thread::yield();  // so that a worker has one of the two tasks
  });
  sets.push_back(of_worker);
  return sets;
}

}  // namespace

TEST_CASE("placement: a worker is kept off one processor, the caller's, where there are enough") {
  const auto sets = sets_of_threads(2);
  CHECK(is_subset(sets[1], sets[0]));
  CHECK(CPU_COUNT(&sets[1]) == std::max(1, CPU_COUNT(&sets[0]) - 1));
}

TEST_CASE("placement: with more threads than processors nobody is kept off anything") {
  const cpu_set_t mine = allowed();
  const auto sets = sets_of_threads(CPU_COUNT(&mine) + 1);
  CHECK(CPU_EQUAL(&sets[0], &sets[1]));
}

TEST_CASE("placement: a caller that is bound to one processor binds its workers, and no more") {
  const cpu_set_t before = allowed();
  const int here = current_processor();
  REQUIRE(here >= 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(here), &one);
  REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
  sets_of_threads(2);
  const auto sets = sets_of_threads(3);  // another number of threads, so these are new
  CHECK(::sched_setaffinity(0, sizeof before, &before) == 0);
  CHECK(CPU_EQUAL(&sets[1], &one));
}

}  // namespace regard
#endif

#include "autograd/all.h"
#include "tests/catch.h"

#include <pthread.h>

using namespace regard;

namespace {

// Runs body on a thread whose stack holds 256 KiB: a walk that recursed, at even one byte an operation, would end it.
void on_a_small_stack(void (*body)()) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  REQUIRE(pthread_attr_setstacksize(&attributes, 256 * 1024) == 0);
  pthread_t thread;
  const auto run = [](void* argument) -> void* {
    reinterpret_cast<void (*)()>(argument)();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, run, reinterpret_cast<void*>(body)) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

constexpr int steps = 1'000'000;
double found = 0;
std::int64_t alive = 0;

Variable chain(const Variable& x) {
  Variable y = x;
  for (int i = 0; i < steps; ++i) y = y + 1.0;
  return y;
}

}  // namespace

TEST_CASE("a million operations run backward and are destroyed on a small stack") {
  const auto before = live_nodes();
  on_a_small_stack([] {
    Variable x = parameter(tensor(0.5, DType::f64));
    const Variable y = chain(x);
    alive = live_nodes();
    y.backward();
    found = x.gradient().item();
  });
  CHECK(alive == before + steps);
  CHECK(found == 1);
  CHECK(live_nodes() == before);
}

TEST_CASE("a million operations that were never used are destroyed on a small stack") {
  const auto before = live_nodes();
  on_a_small_stack([] { chain(parameter(tensor(0.5, DType::f64))); });
  CHECK(live_nodes() == before);
}

TEST_CASE("a long chain that branches and joins is destroyed on a small stack") {
  const auto before = live_nodes();
  on_a_small_stack([] {
    Variable x = parameter(tensor(1.0, DType::f64));
    for (int i = 0; i < steps / 4; ++i) x = 0.5 * x + 0.5 * x;
  });
  CHECK(live_nodes() == before);
}

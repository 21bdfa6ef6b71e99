#pragma once

#include "tensor/threads/parallel.h"

#include <atomic>
#include <vector>

namespace regard {

// Sets the number of threads for one test.
class Threads {
 public:
  explicit Threads(int count) : before_(thread_count()) { set_thread_count(count); }
  ~Threads() { set_thread_count(before_); }

 private:
  int before_;
};

// Were all of [0, count) visited, each once?
inline bool covers_once(std::int64_t count, std::int64_t grain) {
  std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
  parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = begin; i < end; ++i) visits[static_cast<std::size_t>(i)].fetch_add(1);
  });
  for (const auto& v : visits)
    if (v.load() != 1) return false;
  return true;
}

}  // namespace regard

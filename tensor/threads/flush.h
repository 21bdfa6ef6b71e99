#pragma once

#include <cstdint>

namespace regard {

// A float below 2^−126, or a double below 2^−1022, has fewer digits than others: it is *subnormal*. Operations on such
// numbers take many processors a hundred cycles each. They turn up where gradients fade on a long way back, as in
// recurrent networks, and change nothing there: a weight of 0.01 does not feel a step of 1e−38.
//
// While a FlushSubnormals lives, they are 0 on this thread, and in the tasks that it shares out (parallel.h); so
// results are the same for any number of threads. On a kind of processor that this does not know, it does nothing. The
// gradient check is not for such numbers, and does not use it.
class FlushSubnormals {
 public:
  FlushSubnormals();
  ~FlushSubnormals();
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

 private:
  std::uint64_t before_;
};

// What the processor's register says of this, 0 where nothing is flushed: so a task can have it from the thread that
// shares it out.
std::uint64_t flush_mode();
void set_flush_mode(std::uint64_t mode);

}  // namespace regard

#include "tensor/threads/placement.h"

#ifdef __linux__
#include <pthread.h>
#include <sched.h>
#endif

namespace regard {

#ifdef __linux__

int current_processor() { return ::sched_getcpu(); }

void keep_off(int processor, std::vector<std::thread>& threads) {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return;  // more processors than the set can name
  if (processor < 0 || !CPU_ISSET(static_cast<unsigned>(processor), &set)) return;
  CPU_CLR(static_cast<unsigned>(processor), &set);
  if (CPU_COUNT(&set) < static_cast<int>(threads.size())) return;
  for (std::thread& thread : threads) ::pthread_setaffinity_np(thread.native_handle(), sizeof set, &set);
}

#else

int current_processor() { return -1; }
void keep_off(int, std::vector<std::thread>&) {}

#endif

}  // namespace regard

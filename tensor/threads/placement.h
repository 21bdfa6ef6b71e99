#pragma once

#include <thread>
#include <vector>

namespace regard {

// The processor that this thread runs on at the moment; −1 where the system does not tell.
int current_processor();

// From now on the threads may run wherever the caller may, but for one processor. Changes nothing if that would leave
// fewer processors than there are threads, or if the system does not let programs choose.
void keep_off(int processor, std::vector<std::thread>& threads);

}  // namespace regard

#pragma once

#include "nn/distributed/world.h"

#include <cstdint>

namespace regard {

// How this program computes its batches: with which other ranks, and cut into how many parts. Set once, from the
// command line.
struct Together {
  distributed::Communicator& ranks;
  std::int64_t micro_batches = 1;
  std::int64_t samples = 0;  // that all ranks together have learned from
};
Together& together();

// --ranks N: starts this program N times, under mpirun, and waits for the end. Ctrl-C, SIGTERM and SIGHUP are passed
// on as SIGUSR1, since mpirun itself gives its programs no time after them; a second one ends mpirun. Returns the exit
// code.
int start_ranks(int ranks, int argc, char** argv);

}  // namespace regard

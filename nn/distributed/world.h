#pragma once

#include "nn/distributed/communicator.h"

namespace regard::distributed {

// All ranks that were started together: this process alone, or, if mpirun or srun started it and the library was built
// with MPI, all of theirs.
Communicator& world();
bool has_mpi();  // was the library built with it?

}  // namespace regard::distributed

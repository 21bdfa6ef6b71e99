#pragma once

#include "nn/distributed/communicator.h"

namespace regard::distributed {

// All ranks that were started together: this process alone, or, if mpirun or srun started it, all of theirs. An error
// if these are several and cannot be reached, as the library was built without MPI, or with another one.
Communicator& world();
bool has_mpi();  // was the library built with it?

}  // namespace regard::distributed

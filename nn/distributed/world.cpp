// All that knows of MPI, and it uses only its messages: what is summed, in which order, is decided in exchange.h.
#include "nn/distributed/world.h"

#include "tensor/error.h"

#ifdef REGARD_MPI
#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>
#endif

#include <cstdio>
#include <cstdlib>

namespace regard::distributed {
namespace {

void say(const std::string& line) {
  std::fprintf(stderr, "%s\n", line.c_str());
  std::fflush(stderr);
}

// This process, by itself.
class Alone final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  [[noreturn]] void end_all(const std::string& why, int exit_code) override {
    say(why);
    std::exit(exit_code);
  }

 protected:
  std::function<bool()> begin_send(int to, int, ConstBytes) override {
    fail<ValueError>("a message to rank {}, but there is only rank 0", to);
  }
  std::function<bool()> begin_receive(int from, int, Bytes) override {
    fail<ValueError>("a message from rank {}, but there is only rank 0", from);
  }
};

#ifdef REGARD_MPI

bool was_started_together() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(name)) return true;
  return false;
}

class Mpi final : public Communicator {
 public:
  Mpi() {
    int given = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~Mpi() override { MPI_Finalize(); }
  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  [[noreturn]] void end_all(const std::string& why, int exit_code) override {
    say(why);
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::abort();
  }

 protected:
  std::function<bool()> begin_send(int to, int tag, ConstBytes bytes) override {
    MPI_Request request;
    MPI_Isend(bytes.data(), count_of(bytes.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
    return done(request);
  }
  std::function<bool()> begin_receive(int from, int tag, Bytes bytes) override {
    MPI_Request request;
    MPI_Irecv(bytes.data(), count_of(bytes.size()), MPI_BYTE, from, tag, MPI_COMM_WORLD, &request);
    return done(request);
  }

 private:
  static int count_of(std::size_t bytes) {
    if (bytes > 0x7fffffff) fail<ValueError>("a message of {} bytes: MPI's largest has 2147483647", bytes);
    return static_cast<int>(bytes);
  }
  static std::function<bool()> done(MPI_Request request) {
    return [request]() mutable {
      int is_done = 0;
      MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
      return is_done != 0;
    };
  }

  int rank_ = 0, size_ = 1;
};

#endif

// The variable in which mpirun or srun says that it has started several programs together; null if they have not.
// SLURM_NTASKS is none: it is set in the whole job, for a program that is alone, too.
const char* announces_several() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
    if (const char* size = std::getenv(name)) return std::atoi(size) > 1 ? name : nullptr;
  return nullptr;
}

std::unique_ptr<Communicator> make_world() {
  std::unique_ptr<Communicator> all;
#ifdef REGARD_MPI
  if (was_started_together()) all = std::make_unique<Mpi>();
#endif
  if (!all) all = std::make_unique<Alone>();
  // Each would train by itself and write the same files, as if it were the only one.
  if (const char* name = announces_several(); name && all->size() == 1)
    fail<ValueError>(
        "world: this is one of {} programs that were started together ({} says so), but it cannot reach the others: {}",
        std::getenv(name), name,
        has_mpi() ? "they were started for another MPI than that of this program (take its own mpirun; for srun, one "
                    "of the names that srun --mpi=list shows, such as --mpi=pmix)"
                  : "it was built without MPI (install it, on Debian libopenmpi-dev and openmpi-bin, and build again; "
                    "or start the program once, without mpirun or srun)");
  return all;
}

}  // namespace

bool has_mpi() {
#ifdef REGARD_MPI
  return true;
#else
  return false;
#endif
}

Communicator& world() {
  static const std::unique_ptr<Communicator> all = make_world();
  return *all;
}

}  // namespace regard::distributed

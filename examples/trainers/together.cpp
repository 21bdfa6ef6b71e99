#include "examples/trainers/together.h"

#include "tensor/error.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace regard {
namespace {

constexpr const char* started_by_ranks = "REGARD_STARTED_BY_RANKS";
volatile std::sig_atomic_t child = 0, passed_on = 0;

// The first one asks the ranks to end after a step; a second one ends them.
void pass_on(int) {
  if (child > 0) ::kill(child, passed_on ? SIGTERM : SIGUSR1);
  passed_on = 1;
}

}  // namespace

Together& together() {
  static Together all{distributed::world()};
  return all;
}

int start_ranks(int ranks, int argc, char** argv) {
  if (!distributed::has_mpi())
    fail<ValueError>(
        "--ranks: this program was built without MPI. Install it (Debian: libopenmpi-dev and openmpi-bin), and build "
        "again");
  std::vector<std::string> words{"mpirun", "-n", fmt::format("{}", ranks)};
  words.push_back(std::filesystem::exists("/proc/self/exe") ? std::filesystem::read_symlink("/proc/self/exe").string()
                                                            : argv[0]);
  for (int i = 1; i < argc; ++i) words.push_back(argv[i]);
  std::vector<char*> command;
  for (std::string& word : words) command.push_back(word.data());
  command.push_back(nullptr);

  // A program that was started by an mpirun of another MPI finds itself alone. It must not start others in its turn.
  if (std::getenv(started_by_ranks))
    fail<ValueError>("--ranks: the mpirun that is found first belongs to another MPI than this program");
  struct sigaction action {};
  action.sa_handler = pass_on;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  const pid_t process = ::fork();
  if (process == 0) {
    ::setpgid(0, 0);  // Ctrl-C at the terminal goes to this program's group, and not to mpirun's
    // More ranks than cores, no rank bound to a core, and root are all fine on one machine.
    for (const char* name : {"OMPI_MCA_rmaps_base_oversubscribe", "OMPI_ALLOW_RUN_AS_ROOT",
                             "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_mpi_yield_when_idle"})
      ::setenv(name, "1", 0);
    ::setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 0);
    ::setenv(started_by_ranks, "1", 1);
    ::execvp(command[0], command.data());
    fmt::print(stderr, "--ranks: there is no mpirun here (Debian: openmpi-bin)\n");
    ::_exit(2);
  }
  if (process < 0) fail<ValueError>("--ranks: the system starts no further program");
  child = static_cast<std::sig_atomic_t>(process);
  int status = 0;
  pid_t ended = -1;
  do ended = ::waitpid(process, &status, 0);
  while (ended < 0 && errno == EINTR);  // by a signal that was passed on
  if (ended < 0) return 1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace regard

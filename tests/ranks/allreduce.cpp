// The same sum over all ranks twice: by MPI's own MPI_Allreduce, and along the tree. Prints a hash of each result, and
// to standard error the median times. Under mpirun:  allreduce [NUMBERS [REPETITIONS]]
#include "nn/distributed/agree.h"
#include "nn/distributed/exchange.h"
#include "nn/distributed/world.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/random/random.h"

#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace regard;
using namespace regard::distributed;

namespace {

constexpr std::int64_t leaves = 16;

std::string hash_of(Tensor x) {
  return distributed::hash_of([&](nn::Visitor& visitor) { visitor("x", x); });
}

template <class Work>
double median_seconds(Communicator& ranks, int repetitions, const Work& work) {
  std::vector<double> seconds;
  for (int i = 0; i < repetitions; ++i) {
    any(ranks, false);  // all begin at the same time
    const auto start = std::chrono::steady_clock::now();
    work();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t length = argc > 1 ? std::atoll(argv[1]) : 100000;
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 1;
  Communicator& ranks = world();
  const Leaves mine = leaves_of(ranks.rank(), ranks.size(), leaves);
  TreeSum own(leaves);
  Tensor in_a_row = zeros({length});  // as gradients are usually added up before MPI adds those of the ranks
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    Generator generator(static_cast<std::uint64_t>(i));
    const Tensor leaf = normal({length}, generator);
    own.push_leaf(i, leaf);
    in_a_row = in_a_row + leaf;
  }
  if (own.subtrees().size() != 1) ranks.end_all("allreduce: 1, 2, 4, 8 or 16 ranks", 2);

  Tensor theirs = empty({length}, DType::f32), ours;
  const double their_seconds = median_seconds(ranks, repetitions, [&] {
    MPI_Allreduce(in_a_row.data<float>(), theirs.writable<float>(), static_cast<int>(length), MPI_FLOAT, MPI_SUM,
                  MPI_COMM_WORLD);
  });
  const double our_seconds = median_seconds(ranks, repetitions, [&] {
    Exchange exchange(ranks, 1, leaves, own.subtrees());
    exchange.finish();
    ours = exchange.total();
  });
  if (!ranks.first()) return 0;
  fmt::print("MPI_Allreduce {} tree {}\n", hash_of(theirs), hash_of(ours));
  fmt::print(stderr, "{} ranks, {} numbers: MPI_Allreduce {:.3g} ms, tree {:.3g} ms, {:.2f} of its time\n",
             ranks.size(), length, 1e3 * their_seconds, 1e3 * our_seconds, our_seconds / their_seconds);
}

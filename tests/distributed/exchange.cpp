#include "nn/distributed/exchange.h"

#include "tensor/all.h"
#include "tests/catch.h"
#include "tests/distributed/thread_ranks.h"

using namespace regard;
using namespace regard::distributed;

namespace {

std::vector<Tensor> leaves_with(std::int64_t leaves, std::int64_t length, DType dtype) {
  Generator generator(3);
  std::vector<Tensor> all;
  for (std::int64_t i = 0; i < leaves; ++i) all.push_back(normal({length}, generator, 0, 1, dtype));
  return all;
}

std::vector<TreeSum::Subtree> subtrees_of(const Communicator& ranks, const std::vector<Tensor>& all) {
  const auto leaves = static_cast<std::int64_t>(all.size());
  const Leaves mine = leaves_of(ranks.rank(), ranks.size(), leaves);
  TreeSum sum(leaves);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) sum.push_leaf(i, all[static_cast<std::size_t>(i)]);
  return sum.subtrees();
}

Tensor total_of(const std::vector<Tensor>& all) {
  TreeSum sum(static_cast<std::int64_t>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) sum.push_leaf(static_cast<std::int64_t>(i), all[i]);
  return sum.total();
}

}  // namespace

TEST_CASE("Every rank gets the bits that one would have computed alone") {
  const DType dtype = GENERATE(DType::f32, DType::f64);
  const std::int64_t length = GENERATE(1, 2, 5, 1000);
  for (const std::int64_t leaves : {1, 3, 8, 12, 16}) {
    const std::vector<Tensor> all = leaves_with(leaves, length, dtype);
    const Tensor total = total_of(all);
    for (int size = 1; size <= std::min<std::int64_t>(leaves, 9); ++size) {
      std::vector<char> same(static_cast<std::size_t>(size));
      run_ranks(size, [&](Communicator& ranks) {
        Exchange exchange(ranks, 1, leaves, subtrees_of(ranks, all)), other(ranks, 2, leaves, subtrees_of(ranks, all));
        other.finish();  // also while another one is on its way
        exchange.finish();
        same[static_cast<std::size_t>(ranks.rank())] =
            identical(exchange.total(), total) && identical(other.total(), total);
      });
      CAPTURE(leaves, size);
      CHECK(std::ranges::count(same, true) == size);
    }
  }
}

// Half of the way is adding up, half is passing on. Of the n numbers each rank sends all but its own piece, first the
// parts, then the total.
TEST_CASE("What is sent is (nodes + 1)·(P − 1)/P of the numbers") {
  const std::int64_t length = 5040, leaves = 16;  // 5040 can be divided by all numbers up to 10
  const std::vector<Tensor> all = leaves_with(leaves, length, DType::f32);
  for (int size = 1; size <= 10; ++size) {
    const std::vector<std::uint64_t> sent =
        run_ranks(size, [&](Communicator& ranks) { Exchange(ranks, 1, leaves, subtrees_of(ranks, all)).finish(); });
    std::int64_t most_nodes = 0;
    for (int r = 0; r < size; ++r) {
      const auto nodes = static_cast<std::int64_t>(nodes_of(leaves_of(r, size, leaves), leaves).size());
      most_nodes = std::max(most_nodes, nodes);
      CHECK(static_cast<std::int64_t>(sent[static_cast<std::size_t>(r)]) ==
            4 * (nodes + 1) * (length / size) * (size - 1));
    }
    CHECK(most_nodes <= 4);  // 2·log₂ of the leaves of a rank, at most
  }
}

// The usual way: each rank adds up its own, and the sums of the ranks are added in a row. Its bits depend on how many
// ranks there are.
TEST_CASE("Sums of sums depend on the number of ranks, the exchange along the tree does not") {
  const std::vector<Tensor> all = leaves_with(16, 1000, DType::f32);
  std::vector<Tensor> usual;
  for (const int size : {1, 2, 4, 8}) {
    Tensor sum = zeros({1000});
    for (int r = 0; r < size; ++r) {
      const Leaves mine = leaves_of(r, size, 16);
      Tensor own = zeros({1000});
      for (std::int64_t i = mine.begin; i < mine.end; ++i) own = own + all[static_cast<std::size_t>(i)];
      sum = sum + own;
    }
    usual.push_back(sum);
  }
  CHECK(largest_difference(usual[0], usual[1]) > 0);
  CHECK(largest_difference(usual[1], usual[2]) > 0);
  CHECK(largest_difference(usual[2], usual[3]) > 0);
  for (const int size : {1, 2, 4, 8})
    run_ranks(size, [&](Communicator& ranks) {
      Exchange exchange(ranks, 1, 16, subtrees_of(ranks, all));
      exchange.finish();
      if (largest_difference(exchange.total(), total_of(all)) != 0) throw std::logic_error("other bits");
    });
}

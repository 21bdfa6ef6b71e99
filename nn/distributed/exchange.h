#pragma once

#include "nn/distributed/numbers.h"
#include "nn/distributed/tree_sum.h"

namespace regard::distributed {

// The sum of n numbers over all ranks, in the order of the tree. Every rank begins with the nodes that its own leaves
// make, and ends with the total. It goes on while this rank computes: progress() takes in what has arrived, and sends
// what can be sent.
//
// Of P ranks each adds the numbers of one piece, n/P: it gets the parts of the others for it, and sends the total of
// its piece to all. So a rank sends (its nodes + 1)·n·(P − 1)/P numbers, in (its nodes + 1)·(P − 1) messages.
class Exchange {
 public:
  // `subtrees` hold one-dimensional contiguous tensors of the same length and dtype. Ranks that begin exchanges in the
  // same order give them the same tag, below 20000.
  using Subtrees = std::vector<TreeSum::Subtree>;
  Exchange(Communicator& ranks, int tag, std::int64_t leaves, Subtrees subtrees);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  bool progress();  // true when the total is complete
  void finish();    // waits until it is
  const Tensor& total() const { return total_; }

 private:
  Tensor piece(const Tensor& x, int rank) const { return rows_of(x, rank, ranks_.size()); }
  Subtrees& parts_of(int rank) { return parts_[static_cast<std::size_t>(rank)]; }
  void add_up();
  void send(int to, const Tensor& x);
  void receive(int from, const Tensor& x);

  Communicator& ranks_;
  int tag_;
  std::int64_t leaves_;
  std::vector<Subtrees> parts_;  // by rank: all numbers of this one's nodes, and of the others' those in its piece
  std::vector<Communicator::Message> messages_;
  Tensor total_;
};

}  // namespace regard::distributed

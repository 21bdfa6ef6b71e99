#pragma once

#include "nn/distributed/numbers.h"
#include "nn/distributed/tree_sum.h"

#include <memory>
#include <vector>

namespace regard::distributed {

// The sum of n numbers over all ranks, in the order of the tree. Every rank begins with the nodes that its own leaves
// make, and ends with the total. It goes on while this rank computes: progress() takes in what has arrived, and sends
// what can be sent. Each rank adds a part of the numbers only, and then the parts are passed on.
class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual bool progress() = 0;  // true when the total is complete
  void finish();                // waits until it is
  const Tensor& total() const { return total_; }

 protected:
  Exchange(Communicator& ranks, int tag) : ranks_(ranks), tag_(tag) {}

  void send(int to, const Tensor& x, Range range);
  void receive(int from, Tensor& x, Range range);
  bool all_done();  // have all messages been sent, or have they arrived?

  Communicator& ranks_;
  int tag_;
  std::vector<Communicator::Message> messages_;
  Tensor total_;
};

// `subtrees` hold one-dimensional contiguous tensors of the same length and dtype. Ranks that begin exchanges in
// the same order give them the same tag, below 20000.
std::unique_ptr<Exchange> begin_exchange(Communicator& ranks, int tag, std::int64_t leaves,
                                         std::vector<TreeSum::Subtree> subtrees);

// It is made in one of two ways. For any number of ranks P: every rank adds the numbers of one piece of n/P, gets the
// parts of the others for it, and sends the total of its piece to all. A rank sends (its nodes + 1)·n·(P − 1)/P
// numbers.
std::unique_ptr<Exchange> begin_direct(Communicator& ranks, int tag, std::int64_t leaves,
                                       std::vector<TreeSum::Subtree> subtrees);

// For 2ᵏ ranks with one node each: partners at distance 1, 2, 4, … halve what they still have in common, each adds one
// half and sends the other. Then they go back the same way and double what they know. A rank sends 2·n·(P − 1)/P
// numbers, in 2·log₂ P messages.
std::unique_ptr<Exchange> begin_halving(Communicator& ranks, int tag, Tensor sum);

}  // namespace regard::distributed

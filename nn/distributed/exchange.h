#pragma once

#include "nn/distributed/communicator.h"
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
  explicit Exchange(Communicator& ranks) : ranks_(ranks) {}

  bool all_done();  // have all messages been sent, or have they arrived?

  Communicator& ranks_;
  std::vector<Communicator::Message> messages_;
  Tensor total_;
};

// `subtrees` hold one-dimensional contiguous tensors of the same length and dtype. Ranks that begin exchanges in
// the same order give them the same tag, below 20000.
std::unique_ptr<Exchange> begin_exchange(Communicator& ranks, int tag, std::int64_t leaves,
                                         std::vector<TreeSum::Subtree> subtrees);

}  // namespace regard::distributed

#include "nn/distributed/exchange.h"
#include "tensor/error.h"
#include "tensor/view.h"

namespace regard::distributed {
namespace {

class Direct final : public Exchange {
 public:
  Direct(Communicator& ranks, int tag, std::int64_t leaves, std::vector<TreeSum::Subtree> subtrees)
      : Exchange(ranks, tag), leaves_(leaves), subtrees_(std::move(subtrees)), length_(subtrees_.at(0).sum.numel()) {
    for (int r = 0; r < ranks_.size(); ++r) {
      if (r == ranks_.rank()) continue;
      for (const TreeSum::Subtree& subtree : subtrees_) send(r, subtree.sum, piece(r));
      arriving_.push_back({r, {}});
      for (const TreeNode node : nodes_of(leaves_of(r, ranks_.size(), leaves_), leaves_))
        arriving_.back().subtrees.push_back({node, empty({mine().size()}, dtype())});
      for (TreeSum::Subtree& subtree : arriving_.back().subtrees) receive(r, subtree.sum, all_of(subtree.sum));
    }
  }

  bool progress() override {
    if (!all_done()) return false;
    if (total_.defined()) return true;
    add_up();
    return all_done();
  }

 private:
  DType dtype() const { return subtrees_[0].sum.dtype(); }
  Range piece(int rank) const { return {length_ * rank / ranks_.size(), length_ * (rank + 1) / ranks_.size()}; }
  Range mine() const { return piece(ranks_.rank()); }

  // All parts of this rank's piece are here: they are added, and the others get the total of it.
  void add_up() {
    TreeSum sum(leaves_);
    const auto push_mine = [&] {
      for (const TreeSum::Subtree& subtree : subtrees_)
        sum.push(subtree.node, slice(subtree.sum, 0, mine().begin, mine().end));
    };
    bool pushed_mine = false;
    for (const Arriving& one : arriving_) {
      if (one.rank > ranks_.rank() && !pushed_mine) push_mine(), pushed_mine = true;
      for (const TreeSum::Subtree& subtree : one.subtrees) sum.push(subtree.node, subtree.sum);
    }
    if (!pushed_mine) push_mine();

    total_ = empty({length_}, dtype());
    put(total_, mine(), sum.total());
    for (const Arriving& one : arriving_) {
      send(one.rank, total_, mine());
      receive(one.rank, total_, piece(one.rank));
    }
  }

  struct Arriving {
    int rank;
    std::vector<TreeSum::Subtree> subtrees;
  };
  std::int64_t leaves_;
  std::vector<TreeSum::Subtree> subtrees_;
  std::int64_t length_;
  std::vector<Arriving> arriving_;
};

}  // namespace

std::unique_ptr<Exchange> begin_direct(Communicator& ranks, int tag, std::int64_t leaves,
                                       std::vector<TreeSum::Subtree> subtrees) {
  if (subtrees.empty()) fail<ValueError>("begin_exchange: rank {} has no part of the sum", ranks.rank());
  return std::make_unique<Direct>(ranks, tag, leaves, std::move(subtrees));
}

}  // namespace regard::distributed

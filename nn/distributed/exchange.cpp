#include "nn/distributed/exchange.h"

#include "tensor/create.h"

namespace regard::distributed {

Exchange::Exchange(Communicator& ranks, int tag, std::int64_t leaves, Subtrees subtrees)
    : ranks_(ranks), tag_(tag), leaves_(leaves), parts_(static_cast<std::size_t>(ranks.size())) {
  if (subtrees.empty()) fail<ValueError>("Exchange: rank {} has no part of the sum", ranks.rank());
  const Subtrees& mine = parts_of(ranks.rank()) = std::move(subtrees);
  const Tensor like = piece(mine[0].sum, ranks.rank());
  for (int r = 0; r < ranks.size(); ++r) {
    if (r == ranks.rank()) continue;
    for (const TreeSum::Subtree& subtree : mine) send(r, piece(subtree.sum, r));
    for (const TreeNode node : nodes_of(leaves_of(r, ranks.size(), leaves), leaves)) {
      parts_of(r).push_back({node, empty(like.shape(), like.dtype())});
      receive(r, parts_of(r).back().sum);
    }
  }
}

bool Exchange::progress() {
  Communicator::erase_done(messages_);
  if (messages_.empty() && !total_.defined()) {
    add_up();
    Communicator::erase_done(messages_);
  }
  return messages_.empty();
}

void Exchange::finish() {
  while (!progress()) ranks_.wait(messages_);
}

// All parts of this rank's piece are here: they are added from left to right, and the others get the total of it.
void Exchange::add_up() {
  const int own = ranks_.rank();
  TreeSum sum(leaves_);
  for (int r = 0; r < ranks_.size(); ++r)
    for (const auto& [node, part] : parts_of(r)) sum.push(node, r == own ? piece(part, own) : part);

  const Tensor& any = parts_of(own)[0].sum;
  total_ = empty(any.shape(), any.dtype());
  put(piece(total_, own), sum.total());
  for (int r = 0; r < ranks_.size(); ++r) {
    if (r == own) continue;
    send(r, piece(total_, own));
    receive(r, piece(total_, r));
  }
}

void Exchange::send(int to, const Tensor& x) {
  if (x.numel() > 0) messages_.push_back(ranks_.send(to, tag_, bytes_of(x)));
}

void Exchange::receive(int from, const Tensor& x) {
  if (x.numel() > 0) messages_.push_back(ranks_.receive(from, tag_, writable_bytes_of(x)));
}

}  // namespace regard::distributed

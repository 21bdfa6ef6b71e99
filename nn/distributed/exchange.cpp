#include "nn/distributed/exchange.h"

#include "tensor/create.h"
#include "tensor/view.h"

namespace regard::distributed {

Exchange::Exchange(Communicator& ranks, int tag, std::int64_t leaves, Subtrees subtrees)
    : ranks_(ranks), tag_(tag), leaves_(leaves), parts_(static_cast<std::size_t>(ranks.size())) {
  if (subtrees.empty()) fail<ValueError>("Exchange: rank {} has no part of the sum", ranks.rank());
  length_ = subtrees[0].sum.numel();
  parts_of(ranks.rank()) = std::move(subtrees);
  for (int r = 0; r < ranks.size(); ++r)
    if (r != ranks.rank()) begin_with(r);
}

void Exchange::begin_with(int other) {
  const Subtrees& mine = parts_of(ranks_.rank());
  for (const TreeSum::Subtree& subtree : mine) send(other, subtree.sum, piece(other));
  Subtrees& arriving = parts_of(other);
  for (const TreeNode node : nodes_of(leaves_of(other, ranks_.size(), leaves_), leaves_))
    arriving.push_back({node, empty({piece(ranks_.rank()).size()}, mine[0].sum.dtype())});
  for (TreeSum::Subtree& subtree : arriving) receive(other, subtree.sum, all_of(subtree.sum));
}

bool Exchange::progress() {
  if (!all_done()) return false;
  if (total_.defined()) return true;
  add_up();
  return all_done();
}

void Exchange::finish() {
  while (!progress()) ranks_.wait(messages_);
}

// All parts of this rank's piece are here: they are added from left to right, and the others get the total of it.
void Exchange::add_up() {
  const int own = ranks_.rank();
  TreeSum sum(leaves_);
  for (int r = 0; r < ranks_.size(); ++r)
    for (const auto& [node, part] : parts_of(r))
      sum.push(node, r == own ? slice(part, 0, piece(own).begin, piece(own).end) : part);

  total_ = empty({length_}, sum.total().dtype());
  put(total_, piece(own), sum.total());
  for (int r = 0; r < ranks_.size(); ++r) {
    if (r == own) continue;
    send(r, total_, piece(own));
    receive(r, total_, piece(r));
  }
}

void Exchange::send(int to, const Tensor& x, Range range) {
  if (range.size() > 0) messages_.push_back(ranks_.send(to, tag_, bytes_of(x, range)));
}

void Exchange::receive(int from, Tensor& x, Range range) {
  if (range.size() > 0) messages_.push_back(ranks_.receive(from, tag_, writable_bytes_of(x, range)));
}

bool Exchange::all_done() {
  Communicator::erase_done(messages_);
  return messages_.empty();
}

}  // namespace regard::distributed

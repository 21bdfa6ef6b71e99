#include "nn/distributed/exchange.h"

#include <bit>

namespace regard::distributed {

void Exchange::send(int to, const Tensor& x, Range range) {
  if (range.size() > 0) messages_.push_back(ranks_.send(to, tag_, bytes_of(x, range)));
}

void Exchange::receive(int from, Tensor& x, Range range) {
  if (range.size() > 0) messages_.push_back(ranks_.receive(from, tag_, writable_bytes_of(x, range)));
}

bool Exchange::all_done() {
  std::erase_if(messages_, [](const Communicator::Message& message) { return message.is_done(); });
  return messages_.empty();
}

void Exchange::finish() {
  while (!progress()) ranks_.wait(messages_);
}

std::unique_ptr<Exchange> begin_exchange(Communicator& ranks, int tag, std::int64_t leaves,
                                         std::vector<TreeSum::Subtree> subtrees) {
  const auto is_power_of_2 = [](std::int64_t x) { return std::has_single_bit(static_cast<std::uint64_t>(x)); };
  const bool one_node_each = is_power_of_2(ranks.size()) && is_power_of_2(leaves) && leaves >= ranks.size();
  if (one_node_each) return begin_halving(ranks, tag, std::move(subtrees.at(0).sum));
  return begin_direct(ranks, tag, leaves, std::move(subtrees));
}

}  // namespace regard::distributed

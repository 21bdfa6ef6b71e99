#include "nn/distributed/communicator.h"

#include "tensor/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace regard::distributed {

namespace {

// Tags below these belong to the buckets of gradients.
enum Tag { waiting_tag = 20000, broadcast_tag, gather_tag };

constexpr std::size_t largest_message = 1 << 30;  // MPI counts bytes with 31 bits

template <class T>
Communicator::Bytes bytes_of(T& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

// Each tells all others what it has, and hears theirs: of_each[r] are the bytes of rank r.
void tell_all(Communicator& ranks, int tag, const std::vector<Communicator::Bytes>& of_each) {
  std::vector<Communicator::Message> messages;
  for (int r = 0; r < ranks.size(); ++r) {
    if (r == ranks.rank()) continue;
    messages.push_back(ranks.send(r, tag, of_each[static_cast<std::size_t>(ranks.rank())]));
    messages.push_back(ranks.receive(r, tag, of_each[static_cast<std::size_t>(r)]));
  }
  ranks.wait(messages);
}

}  // namespace

Communicator::Message Communicator::send(int to, int tag, ConstBytes bytes) {
  sent_bytes_ += bytes.size();
  return {to, begin_send(to, tag, bytes)};
}

Communicator::Message Communicator::receive(int from, int tag, Bytes bytes) {
  return {from, begin_receive(from, tag, bytes)};
}

void Communicator::erase_done(std::vector<Message>& messages) {
  std::erase_if(messages, [](const Message& message) { return message.is_done(); });
}

void Communicator::wait(std::vector<Message>& messages) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_news = Clock::now();
  for (int tries = 0; !messages.empty(); ++tries) {
    const std::size_t before = messages.size();
    erase_done(messages);
    if (messages.size() < before) {
      last_news = Clock::now();
    } else if (tries > 1000) {  // after a moment of asking again and again: leave the core to others
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      const auto waited = Clock::now() - last_news;
      if (waited > patience_) ask();
      if (waited > 2 * patience_) give_up(messages);
    }
  }
}

// A rank that waits may wait for one that itself waits for a third. So all who have lost their patience tell all
// others, once, and look who has told them; whoever stays silent is the one to blame.
void Communicator::ask() {
  if (!question_) {
    question_ = std::make_unique<Question>();
    question_->notes.resize(static_cast<std::size_t>(size()));
    for (int other = 0; other < size(); ++other) {
      if (other == rank()) continue;
      std::byte& answer = question_->notes[static_cast<std::size_t>(other)];
      question_->sent.push_back({other, begin_send(other, waiting_tag, bytes_of(question_->note))});
      question_->silent.push_back({other, begin_receive(other, waiting_tag, bytes_of(answer))});
    }
  }
  for (std::vector<Message>* messages : {&question_->sent, &question_->silent}) erase_done(*messages);
}

void Communicator::give_up(const std::vector<Message>& messages) {
  std::vector<std::string> silent;
  for (const Message& one : question_->silent) silent.push_back(std::to_string(one.with));
  if (silent.empty()) silent = {std::to_string(messages.front().with)};
  end_all(fmt::format("rank {} has waited {:.3g} s for rank {}, and ends all ranks", rank(), 2 * patience_.count(),
                      join_words(silent, ", ")));
}

// Rank 0 tells rank 1, both tell two others, the four tell four others: after k rounds 2ᵏ ranks know.
void broadcast(Communicator& ranks, Communicator::Bytes bytes) {
  if (bytes.size() > largest_message) {
    broadcast(ranks, bytes.first(largest_message));
    return broadcast(ranks, bytes.subspan(largest_message));
  }
  std::vector<Communicator::Message> messages;
  for (int known = 1; known < ranks.size(); known *= 2) {
    if (ranks.rank() < known) {
      if (ranks.rank() + known < ranks.size())
        messages.push_back(ranks.send(ranks.rank() + known, broadcast_tag, bytes));
    } else if (ranks.rank() < 2 * known) {
      messages.push_back(ranks.receive(ranks.rank() - known, broadcast_tag, bytes));
      ranks.wait(messages);
    }
  }
  ranks.wait(messages);
}

void broadcast(Communicator& ranks, std::string& text) {
  std::uint64_t length = text.size();
  broadcast(ranks, bytes_of(length));
  text.resize(length);
  broadcast(ranks, std::as_writable_bytes(std::span(text)));
}

std::vector<std::string> gather(Communicator& ranks, const std::string& text) {
  const auto count = static_cast<std::size_t>(ranks.size()), own = static_cast<std::size_t>(ranks.rank());
  std::vector<std::string> texts(count);
  texts[own] = text;
  std::vector<std::uint64_t> lengths(count, text.size());
  std::vector<Communicator::Bytes> bytes;
  for (std::uint64_t& length : lengths) bytes.push_back(bytes_of(length));
  tell_all(ranks, gather_tag, bytes);
  for (std::size_t r = 0; r < count; ++r) {
    texts[r].resize(lengths[r]);
    bytes[r] = std::as_writable_bytes(std::span(texts[r]));
  }
  tell_all(ranks, gather_tag, bytes);
  return texts;
}

bool any(Communicator& ranks, bool one) { return std::ranges::count(gather(ranks, one ? "yes" : "no"), "yes") > 0; }

void require_same(Communicator& ranks, const std::string& what, const std::string& ours) {
  const std::vector<std::string> all = gather(ranks, ours);
  for (std::size_t r = 1; r < all.size(); ++r)
    if (all[r] != all[0])
      fail<ValueError>("the ranks do not agree on {}: rank 0 has {}, rank {} has {}", what, all[0], r, all[r]);
}

}  // namespace regard::distributed

#include "nn/distributed/communicator.h"

#include "tensor/error.h"

#include <fmt/format.h>

#include <thread>

namespace regard::distributed {

namespace {

// Tags below these belong to the buckets of gradients.
enum Tag { waiting_tag = 20000, broadcast_tag, gather_tag, any_tag };

constexpr std::size_t largest_message = 1 << 30;  // MPI counts bytes with 31 bits

template <class T>
Communicator::Bytes bytes_of(T& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

}  // namespace

Communicator::Message Communicator::send(int to, int tag, ConstBytes bytes) {
  sent_bytes_ += bytes.size();
  return {to, begin_send(to, tag, bytes)};
}

Communicator::Message Communicator::receive(int from, int tag, Bytes bytes) {
  return {from, begin_receive(from, tag, bytes)};
}

void Communicator::wait(std::vector<Message>& messages) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_news = Clock::now();
  for (int tries = 0; !messages.empty(); ++tries) {
    const std::size_t before = messages.size();
    std::erase_if(messages, [](const Message& message) { return message.is_done(); });
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
    const auto count = static_cast<std::size_t>(size());
    question_->notes.resize(count);
    question_->arrived.resize(count);
    question_->is_waiting.resize(count);
    question_->is_waiting[static_cast<std::size_t>(rank())] = true;
    for (int other = 0; other < size(); ++other) {
      if (other == rank()) continue;
      const auto i = static_cast<std::size_t>(other);
      question_->sent.push_back(begin_send(other, waiting_tag, question_->note));
      question_->arrived[i] = begin_receive(other, waiting_tag, question_->notes[i]);
    }
  }
  for (std::size_t i = 0; i < question_->arrived.size(); ++i)
    if (question_->arrived[i] && !question_->is_waiting[i]) question_->is_waiting[i] = question_->arrived[i]();
  for (const auto& done : question_->sent) done();
}

void Communicator::give_up(const std::vector<Message>& messages) {
  std::string silent;
  for (std::size_t i = 0; i < question_->is_waiting.size(); ++i)
    if (!question_->is_waiting[i]) silent += fmt::format("{}{}", silent.empty() ? "" : ", ", i);
  if (silent.empty()) silent = fmt::format("{}", messages.front().with);
  end_all(fmt::format("rank {} has waited {:.3g} s for rank {}, and ends all ranks", rank(), 2 * patience_.count(),
                      silent));
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
  std::vector<std::string> texts(static_cast<std::size_t>(ranks.size()));
  texts[static_cast<std::size_t>(ranks.rank())] = text;
  std::vector<Communicator::Message> messages;
  std::uint64_t length = text.size();
  if (!ranks.first()) {
    messages.push_back(ranks.send(0, gather_tag, bytes_of(length)));
    messages.push_back(ranks.send(0, gather_tag, std::as_bytes(std::span(text))));
  } else {
    std::vector<std::uint64_t> lengths(texts.size());
    for (int r = 1; r < ranks.size(); ++r)
      messages.push_back(ranks.receive(r, gather_tag, bytes_of(lengths[static_cast<std::size_t>(r)])));
    ranks.wait(messages);
    for (int r = 1; r < ranks.size(); ++r) {
      std::string& other = texts[static_cast<std::size_t>(r)];
      other.resize(lengths[static_cast<std::size_t>(r)]);
      messages.push_back(ranks.receive(r, gather_tag, std::as_writable_bytes(std::span(other))));
    }
  }
  ranks.wait(messages);
  // One message with all texts, each behind its length.
  std::string together;
  for (const std::string& one : texts) together += fmt::format("{}:", one.size()) + one;
  broadcast(ranks, together);
  for (std::string& one : texts) {
    const std::size_t end = together.find(':'), size = std::stoull(together.substr(0, end));
    one = together.substr(end + 1, size);
    together.erase(0, end + 1 + size);
  }
  return texts;
}

bool any(Communicator& ranks, bool one) {
  std::vector<std::byte> said(static_cast<std::size_t>(ranks.size()));
  said[0] = std::byte{one};
  std::vector<Communicator::Message> messages;
  if (!ranks.first())
    messages.push_back(ranks.send(0, any_tag, {said.data(), 1}));
  else
    for (int r = 1; r < ranks.size(); ++r)
      messages.push_back(ranks.receive(r, any_tag, {&said[static_cast<std::size_t>(r)], 1}));
  ranks.wait(messages);
  std::byte some{};
  for (const std::byte of_one : said) some |= of_one;
  broadcast(ranks, {&some, 1});
  return some != std::byte{};
}

void require_same(Communicator& ranks, const std::string& what, const std::string& ours) {
  const std::vector<std::string> all = gather(ranks, ours);
  for (std::size_t r = 1; r < all.size(); ++r)
    if (all[r] != all[0])
      fail<ValueError>("the ranks do not agree on {}: rank 0 has {}, rank {} has {}", what, all[0], r, all[r]);
}

}  // namespace regard::distributed

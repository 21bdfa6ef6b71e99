#pragma once

#include "nn/distributed/communicator.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <tuple>

// Ranks that are threads of one program: what is said about ranks can be tested without MPI.
namespace regard::distributed {

// Messages on their way, by sender, receiver, tag and number.
class Post {
 public:
  using Line = std::tuple<int, int, int>;

  int next_to_send(Line line) { return next(sent_, line); }
  int next_to_receive(Line line) { return next(received_, line); }

  // The bytes stay where they are until they are taken, as with MPI: a sender who changes them too early is noticed.
  void put(Line line, int number, Communicator::ConstBytes bytes) {
    const std::lock_guard lock(mutex_);
    letters_.insert({{line, number}, bytes});
  }
  bool is_taken(Line line, int number) {
    const std::lock_guard lock(mutex_);
    return !letters_.contains({line, number});
  }
  bool take(Line line, int number, Communicator::Bytes bytes) {
    const std::lock_guard lock(mutex_);
    const auto letter = letters_.find({line, number});
    if (letter == letters_.end()) return false;
    if (letter->second.size() != bytes.size()) throw std::logic_error("a message has another length than is expected");
    std::copy(letter->second.begin(), letter->second.end(), bytes.begin());
    letters_.erase(letter);
    return true;
  }
  bool empty() const { return letters_.empty(); }

 private:
  int next(std::map<Line, int>& numbers, Line line) {
    const std::lock_guard lock(mutex_);
    return numbers[line]++;
  }

  std::mutex mutex_;
  std::map<Line, int> sent_, received_;
  std::map<std::pair<Line, int>, Communicator::ConstBytes> letters_;
};

class ThreadRank final : public Communicator {
 public:
  ThreadRank(int rank, int size, Post& post) : rank_(rank), size_(size), post_(post) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  [[noreturn]] void end_all(const std::string& why, int) override { throw std::runtime_error(why); }

 protected:
  std::function<bool()> begin_send(int to, int tag, ConstBytes bytes) override {
    const Post::Line line{rank_, to, tag};
    const int number = post_.next_to_send(line);
    post_.put(line, number, bytes);
    return [this, line, number] { return post_.is_taken(line, number); };
  }
  std::function<bool()> begin_receive(int from, int tag, Bytes bytes) override {
    const Post::Line line{from, rank_, tag};
    return [this, line, number = post_.next_to_receive(line), bytes] { return post_.take(line, number, bytes); };
  }

 private:
  int rank_, size_;
  Post& post_;
};

// Runs the same program on all ranks. The first error of a rank comes out at the end. Returns the bytes that each sent.
inline std::vector<std::uint64_t> run_ranks(int size, const std::function<void(Communicator&)>& program,
                                            bool all_is_received = true) {
  Post post;
  std::vector<std::uint64_t> sent(static_cast<std::size_t>(size));
  std::vector<std::exception_ptr> errors(sent.size());
  std::vector<std::thread> threads;
  for (int r = 0; r < size; ++r)
    threads.emplace_back([&, r] {
      const auto i = static_cast<std::size_t>(r);
      ThreadRank rank(r, size, post);
      rank.set_patience(std::chrono::seconds(20));
      try {
        program(rank);
      } catch (...) {
        errors[i] = std::current_exception();
      }
      sent[i] = rank.sent_bytes();
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  if (all_is_received && !post.empty()) throw std::logic_error("a message was sent that nobody received");
  return sent;
}

}  // namespace regard::distributed

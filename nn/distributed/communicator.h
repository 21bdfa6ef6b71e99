#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace regard::distributed {

// Programs that train together. Each is a process, a *rank*; they are numbered from 0, and send messages to each other.
// mpirun or srun starts them, and they speak MPI (world.cpp is all that knows of it). A program that was started alone
// is rank 0 of 1.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  bool first() const { return rank() == 0; }  // the one that prints, draws and saves

  // Begins to send, or to receive. The bytes must stay where they are until the message is done. Two messages from one
  // rank to another with the same tag arrive in the order in which they were sent.
  using Bytes = std::span<std::byte>;
  using ConstBytes = std::span<const std::byte>;
  struct Message {
    int with;  // the other rank
    std::function<bool()> is_done;
  };
  Message send(int to, int tag, ConstBytes bytes);
  Message receive(int from, int tag, Bytes bytes);

  // Waits until all are done. If nothing arrives for `patience`, this rank asks who else waits. If nothing arrives for
  // as long again, it ends all ranks, with a message that names those that have not answered.
  void wait(std::vector<Message>& messages);
  static void erase_done(std::vector<Message>& messages);
  void set_patience(std::chrono::duration<double> patience) { patience_ = patience; }
  std::chrono::duration<double> patience() const { return patience_; }

  // When this one cannot go on: says why on standard error, and ends the programs of all ranks.
  [[noreturn]] virtual void end_all(const std::string& why, int exit_code = 2) = 0;

  std::uint64_t sent_bytes() const { return sent_bytes_; }  // by this rank so far

 protected:
  virtual std::function<bool()> begin_send(int to, int tag, ConstBytes bytes) = 0;
  virtual std::function<bool()> begin_receive(int from, int tag, Bytes bytes) = 0;

 private:
  // What this rank has asked of the others: whether they wait, too.
  struct Question {
    std::byte note{};
    std::vector<std::byte> notes;       // of the others
    std::vector<Message> sent, silent;  // silent: from those that have not answered
  };
  void ask();
  void give_up(const std::vector<Message>& messages);

  std::unique_ptr<Question> question_;  // null until asked; then kept, as what it sent may be read much later
  std::chrono::duration<double> patience_ = std::chrono::minutes(5);
  std::uint64_t sent_bytes_ = 0;
};

// What all ranks must call, in the same order everywhere.
void broadcast(Communicator& ranks, Communicator::Bytes bytes);  // what rank 0 has, to all
void broadcast(Communicator& ranks, std::string& text);
std::vector<std::string> gather(Communicator& ranks, const std::string& text);             // of all ranks, to all
bool any(Communicator& ranks, bool one);                                                   // of some rank?
void require_same(Communicator& ranks, const std::string& what, const std::string& ours);  // or an error everywhere

}  // namespace regard::distributed

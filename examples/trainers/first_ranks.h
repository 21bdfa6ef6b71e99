#pragma once

#include "nn/distributed/communicator.h"

#include <cstdlib>

namespace regard::distributed {

// The first few of the ranks, as if there were no others. For one of them.
class FirstRanks final : public Communicator {
 public:
  FirstRanks(Communicator& all, int size) : all_(all), size_(size) { set_patience(all.patience()); }

  int rank() const override { return all_.rank(); }
  int size() const override { return size_; }
  [[noreturn]] void end_all(const std::string& why, int exit_code) override {
    all_.end_all(why, exit_code);
    std::abort();  // GCC does not believe that a virtual function never returns
  }

 protected:
  std::function<bool()> begin_send(int to, int tag, ConstBytes bytes) override {
    return all_.send(to, tag, bytes).is_done;
  }
  std::function<bool()> begin_receive(int from, int tag, Bytes bytes) override {
    return all_.receive(from, tag, bytes).is_done;
  }

 private:
  Communicator& all_;
  int size_;
};

}  // namespace regard::distributed

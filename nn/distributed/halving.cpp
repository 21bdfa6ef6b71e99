#include "nn/distributed/exchange.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/view.h"

namespace regard::distributed {
namespace {

// With 4 ranks and the numbers 0 … n:
//
//   distance 1   0 and 1 have the sum of both:   0 adds the lower half, 1 the upper; so do 2 and 3
//   distance 2   0 and 2 hold the lower half:    0 adds its lower half, a quarter of all, 2 its upper; so do 1 and 3
//   back         0 and 2 swap their quarters and know the lower half; 0 and 1 swap halves and know all
class Halving final : public Exchange {
 public:
  Halving(Communicator& ranks, int tag, Tensor sum) : Exchange(ranks, tag), sum_(contiguous(sum)), held_{all_of(sum)} {
    begin_step();
  }

  bool progress() override {
    while (all_done()) {
      if (distance_ == 0) return true;
      end_step();
      begin_step();
    }
    return false;
  }

 private:
  int partner() const { return ranks_.rank() ^ distance_; }
  bool is_lower() const { return ranks_.rank() < partner(); }
  Range held() const { return held_.back(); }

  // The half of what is held that this rank keeps, or gives away.
  Range half(bool lower) const {
    const std::int64_t middle = held().begin + held().size() / 2;
    return lower ? Range{held().begin, middle} : Range{middle, held().end};
  }

  void begin_step() {
    if (!total_.defined() && distance_ == ranks_.size()) begin_to_go_back();
    if (distance_ == 0) return;
    if (!total_.defined()) {  // sum_ holds the numbers `held`, counted from its own beginning
      const Range give = half(!is_lower()), keep = half(is_lower());
      theirs_ = empty({keep.size()}, sum_.dtype());
      send(partner(), sum_, {give.begin - held().begin, give.end - held().begin});
      receive(partner(), theirs_, all_of(theirs_));
    } else {
      const Range known = held();
      held_.pop_back();  // now `held` is what both know together
      send(partner(), total_, known);
      receive(partner(), total_, half(!is_lower()));
    }
  }

  void end_step() {
    if (total_.defined()) {
      distance_ /= 2;
      return;
    }
    const Range keep = half(is_lower());
    const Tensor ours = slice(sum_, 0, keep.begin - held().begin, keep.end - held().begin);
    sum_ = is_lower() ? ours + theirs_ : theirs_ + ours;
    held_.push_back(keep);
    distance_ *= 2;
  }

  void begin_to_go_back() {
    if (ranks_.size() == 1) {
      total_ = std::move(sum_);
      distance_ = 0;
      return;
    }
    total_ = empty({held_.front().size()}, sum_.dtype());
    put(total_, held(), sum_);
    distance_ /= 2;
  }

  int distance_ = 1;
  Tensor sum_, theirs_;      // of the numbers that are held
  std::vector<Range> held_;  // by this rank, after each step
};

}  // namespace

std::unique_ptr<Exchange> begin_halving(Communicator& ranks, int tag, Tensor sum) {
  return std::make_unique<Halving>(ranks, tag, std::move(sum));
}

}  // namespace regard::distributed

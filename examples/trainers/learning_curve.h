#pragma once

#include "examples/trainers/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace regard {

// The losses of batches jump. Means over a hundredth of a training are a curve that can be read. What is left over at
// the end, less than a hundredth, is not shown.
class LearningCurve {
 public:
  explicit LearningCurve(std::int64_t steps) : together_(std::max<std::int64_t>(steps / 100, 1)) {}

  void add(std::int64_t step, double loss) {
    open_.push_back(loss);
    if (std::ssize(open_) < together_) return;
    steps_.push_back(static_cast<double>(step + 1));
    losses_.push_back(std::accumulate(open_.begin(), open_.end(), 0.0) / static_cast<double>(open_.size()));
    open_.clear();
  }
  std::vector<MeasuredList> lists(const std::string& name) {  // for the checkpoint
    return {{name + ".steps", steps_}, {name + ".losses", losses_}, {name + ".open", open_}};
  }
  std::string what_a_point_is() const {  // for the caption
    return together_ == 1 ? "Each point is a step." : fmt::format("Each point is a mean over {} steps.", together_);
  }
  const std::vector<double>& steps() const { return steps_; }
  const std::vector<double>& losses() const { return losses_; }

 private:
  std::int64_t together_;
  std::vector<double> steps_, losses_, open_;  // open: of no point yet
};

}  // namespace regard

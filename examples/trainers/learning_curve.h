#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace regard {

// The losses of batches jump. Means over a hundredth of a training are a curve that can be read. What is left over at
// the end, less than a hundredth, is not shown.
class LearningCurve {
 public:
  explicit LearningCurve(std::int64_t steps) : together_(std::max<std::int64_t>(steps / 100, 1)) {}

  void add(std::int64_t step, double loss) {
    sum_ += loss;
    if (++count_ < together_) return;
    steps_.push_back(static_cast<double>(step + 1));
    losses_.push_back(sum_ / static_cast<double>(count_));
    sum_ = 0, count_ = 0;
  }
  std::string what_a_point_is() const {  // for the caption
    return together_ == 1 ? "Each point is a step." : fmt::format("Each point is a mean over {} steps.", together_);
  }
  const std::vector<double>& steps() const { return steps_; }
  const std::vector<double>& losses() const { return losses_; }

 private:
  std::int64_t together_, count_ = 0;
  double sum_ = 0;
  std::vector<double> steps_, losses_;
};

}  // namespace regard

#pragma once

#include "nn/save/save.h"

#include <string>
#include <vector>

namespace regard {

// A list of numbers that a training measures on its way, such as a curve, or the error before the first step.
struct MeasuredList {
  std::string name;
  std::vector<double>& numbers;
};

// All of them, as a part of a checkpoint. So a training that goes on from there ends with the same lists as one that
// never stopped.
class Measured {
 public:
  void add(const std::vector<MeasuredList>& lists) {
    for (const MeasuredList& list : lists) lists_.push_back(list);
  }
  void visit(nn::Visitor& visitor);
  // Makes the lists as long as those of a file that is to be loaded, in which this is the part `name`.
  void take_lengths(const nn::TensorFile& file, const std::string& name);

 private:
  std::vector<MeasuredList> lists_;
};

}  // namespace regard

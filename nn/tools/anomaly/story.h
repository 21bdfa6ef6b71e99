#pragma once

#include "autograd/record.h"
#include "nn/tools/anomaly/site.h"
#include "nn/tools/parameter_names.h"

#include <string>
#include <string_view>

namespace regard::anomaly {

// An operation that returned a NaN or an infinity.
struct BadResult {
  const OpInfo& op;
  const graph::Inputs& inputs;
  const Tensor& value;
  bool nan;  // else infinity
  Site site;
  const ParameterNames& names;
  std::string functions;  // of the program
  std::string last_used;  // the parameter that was used last; empty if none was
};

// What happened, in a few lines:
//
//   anomaly: 'log' (log x) made the first infinity: element (2, 0) of its result f32 (3, 2) is −∞
//     from input 0 f32 (3, 2): 0 at (2, 0)
//     recorded in loss ← main, in module 'head' or behind it (head.weight, head.bias)
//     what usually helps: log 0 is −∞ …
std::string story_of(const BadResult& bad);
// A rule made one; a hook did; the gradients from two uses add up to one; one was given to backward() or grad().
std::string story_of_rule(const GradientMade& bad, bool nan, const ParameterNames& names);
std::string story_of_hook(const GradientMade& bad, bool nan, const ParameterNames& names);
std::string story_of_sum(const GradientMade& bad, const ParameterNames& names);
std::string story_of_start(const GradientMade& bad, const ParameterNames& names);

}  // namespace regard::anomaly

#pragma once

#include "autograd/anomaly/place.h"
#include "autograd/parameter_names.h"
#include "autograd/record.h"

#include <string>
#include <string_view>

namespace regard::anomaly {

// An operation that returned a NaN or an infinity.
struct BadResult {
  const OpInfo& op;
  const graph::Inputs& inputs;
  const Tensor& value;
  bool nan;  // else infinity
  Place place;
  const ParameterNames& names;
  std::string site;       // the functions of the program
  std::string last_used;  // the parameter that was used last; empty if none was
};

// A rule that returned one, for input i.
struct BadGradient {
  const graph::Node& node;
  const Variable& output;
  const Variable& arrived;
  const Variable& returned;
  std::size_t i;
  bool nan;
  const ParameterNames& names;
};

// What happened, in a few lines:
//
//   anomaly: 'log' (log x) made the first infinity: element (2, 0) of its result f32 (3, 2) is −∞
//     from input 0 f32 (3, 2): 0 at (2, 0)
//     recorded in loss ← main, in module 'head' or behind it (head.weight, head.bias)
//     what usually helps: log 0 is −∞ …
std::string story_of(const BadResult& bad);
std::string story_of_rule(const BadGradient& bad);
// Gradients that arrive at x from two of its uses, and their sum, which is not finite.
std::string story_of_sum(const Variable& x, const Variable& first, const Variable& second, const Variable& sum,
                         const ParameterNames& names);
// A gradient that was given to backward() or grad(), and one that a hook on x returned.
std::string story_of_start(std::string_view function, const Variable& output, const Variable& given,
                           const ParameterNames& names);
std::string story_of_hook(const Variable& x, const Variable& arrived, const Variable& returned,
                          const ParameterNames& names);

}  // namespace regard::anomaly

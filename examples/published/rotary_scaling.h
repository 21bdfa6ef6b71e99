#pragma once

#include "nn/attention/positions/frequencies.h"

#include <optional>

// Models that are to read longer texts than they were trained on slow some pairs of features down. Each function below
// is one published way to do so. It begins with the plain frequencies of a `base`, and what it gives goes into
// RotateOptions:
//
//   .frequencies = rotary::llama3(64, 500000, {.factor = 8})
namespace regard::nn::rotary {

// ωⱼ/factor: positions are pressed together.
RotaryFrequencies linear(std::int64_t pairs, double base, double factor);

// A larger base: the fastest pair keeps its frequency, and the slowest is divided by t = factor·length/trained −
// (factor − 1). So ωⱼ = (base·t^(P/(P − 1)))^(−j/P). `length` is how long texts will become. It is told beforehand, so
// that keys in a cache and the queries that come later are turned alike.
struct DynamicNtk {
  double factor;
  std::int64_t trained, length;  // in tokens; no change where length ≤ trained
};
RotaryFrequencies dynamic_ntk(std::int64_t pairs, double base, const DynamicNtk& options);

// YaRN: what turns more than `fast` times within the trained length stays as it is; what turns less than `slow` times
// is divided by the factor; between them the two are mixed, linearly in j. `times` makes up for the larger number of
// keys.
struct Yarn {
  double factor;
  std::int64_t trained;
  double fast = 32, slow = 1;
  bool whole = true;                 // whether the mix begins and ends at whole numbers j, rounded outwards
  std::optional<double> times = {};  // if not given, m(weight)/m(weight_of_all), m(w) = 1 + 0.1·w·ln(factor)
  double weight = 1, weight_of_all = 0;
};
RotaryFrequencies yarn(std::int64_t pairs, double base, const Yarn& options);

// As YaRN, but mixed linearly in the number of turns: what turns more than `high` times within the trained length
// stays, what turns less than `low` times is divided by the factor.
struct Llama3 {
  double factor;
  double low = 1, high = 4;
  std::int64_t trained = 8192;
};
RotaryFrequencies llama3(std::int64_t pairs, double base, const Llama3& options);

// LongRoPE: each pair is divided by a number of its own, found by search. There are two lists, for texts up to the
// trained length and for longer ones; which one is decided by `length`, beforehand.
struct LongRope {
  std::vector<double> short_factors, long_factors;  // one for each pair
  double factor;                                    // the longest text, divided by the trained length
  std::int64_t trained, length;                     // in tokens
  std::optional<double> times = {};  // if not given, √(1 + ln(factor)/ln(trained)); 1 for factors up to 1
};
RotaryFrequencies longrope(std::int64_t pairs, double base, const LongRope& options);

}  // namespace regard::nn::rotary

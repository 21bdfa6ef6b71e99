#pragma once

#include "nn/tools/watch/watch.h"

#include <string>
#include <vector>

namespace regard::nn {

// From where on something is worth a warning.
struct WarningLimits {
  double dead_share = 0.05;      // of the units behind a relu that were never above 0
  std::int64_t dead_rows = 100;  // so many values of each unit must have been seen before
  double layers_factor = 100;    // between the gradients of the first and the last of three layers or more
  double one_key = 0.95;         // the mean weight of one key, of those that a head sees
  double alike = 0.02;           // distance of two heads of an attention
  double even = 0.1;             // heads that are not further from looking at all alike have not learned yet
};

// What the steps looked at give reason to warn of, each a few plain sentences with numbers and what usually helps. All
// is judged by the second half of the steps: layers begin small, heads begin alike, and units die while they learn.
// Dead is a unit that was at none of these steps anything but 0; a head must stand out at each of them. A NaN or an
// infinity comes first, and only the steps before it are judged.
std::vector<std::string> warnings(const Watch& watch, const WarningLimits& limits = {});

std::vector<std::string> dead_units(const std::vector<WatchedStep>& steps, const WarningLimits& limits);
std::vector<std::string> uneven_layers(const std::vector<WatchedStep>& steps, const WarningLimits& limits);
std::vector<std::string> poor_heads(const std::vector<WatchedStep>& steps, const WarningLimits& limits);

}  // namespace regard::nn

#pragma once

#include "nn/tools/watch/watch.h"

namespace regard::nn {

// Where a step first has a NaN or an infinity, if it has any: in the parameters; then in what the operations return, in
// their order; then in the gradients, on their way back. An activation of −∞ may be a mask, and does not count.
std::optional<std::string> not_finite(const WatchedStep& step);

// A step in a line:
//   step 50: gradient 0.81; update/weight 0.0021, most 0.011 (head.weight); zeros 51 % (layers.0.up: relu); …
std::string line_of(const WatchedStep& step);

// What to warn of after the steps that were looked at, each in a few plain sentences with numbers and what usually
// helps. Only the second half of the steps is judged: layers begin small, heads begin alike, and units die while they
// learn. A unit is dead if it was 0 at all of these steps; a head must stand out at each of them. A NaN or an infinity
// comes first, and only the steps before it are judged.
std::vector<std::string> warnings(const Watch& watch);

std::vector<std::string> dead_units(const std::vector<WatchedStep>& steps);
std::vector<std::string> uneven_layers(const std::vector<WatchedStep>& steps);
std::vector<std::string> poor_heads(const std::vector<WatchedStep>& steps);

}  // namespace regard::nn

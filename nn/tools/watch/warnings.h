#pragma once

#include "nn/tools/watch/watch.h"

#include <string>
#include <vector>

namespace regard::nn {

// What the steps looked at give reason to warn of, each a few plain sentences with numbers and what usually helps. All
// is judged by the second half of the steps: layers begin small, heads begin alike, and units die while they learn.
// Dead is a unit that was at none of these steps anything but 0; a head must stand out at each of them. A NaN or an
// infinity comes first, and only the steps before it are judged.
std::vector<std::string> warnings(const Watch& watch);

std::vector<std::string> dead_units(const std::vector<WatchedStep>& steps);
std::vector<std::string> uneven_layers(const std::vector<WatchedStep>& steps);
std::vector<std::string> poor_heads(const std::vector<WatchedStep>& steps);

}  // namespace regard::nn

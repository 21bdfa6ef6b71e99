#pragma once

#include "nn/tools/draw/drawing.h"

#include <string>
#include <vector>

namespace regard {

// How a line is drawn: the more gradient passes, the wider.
struct LineLook {
  double width;
  std::string look;  // "plain"; "none": no gradient passes; "broken": it is NaN or infinite
  std::string told;
};

// From a 10,000th of the largest gradient of all, or less, to the largest: from 1 to 5 points, in steps of factors.
std::vector<LineLook> looks_of(const Drawing& drawing);

std::string look_of(DrawnNode::Kind kind);  // "operation"

}  // namespace regard

#pragma once

#include "nn/tools/draw/drawing.h"

#include <string>

namespace regard {

// A page that stands alone: a click folds and unfolds a box, and who points at something is told about it.
std::string to_html(const Drawing& drawing, const std::string& title = "A recorded graph");

}  // namespace regard

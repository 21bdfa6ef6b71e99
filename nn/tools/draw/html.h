#pragma once

#include "nn/tools/draw/drawing.h"

#include <string>

namespace regard {

// A page that stands alone, without a script: a click folds and unfolds a box, and pointing at a thing tells about it.
std::string to_html(const Drawing& drawing, const std::string& title = "A recorded graph");

}  // namespace regard

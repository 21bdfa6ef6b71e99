#pragma once

#include "nn/tools/draw/drawing.h"

#include <string>

namespace regard {

// What is in sight, as a picture that stands alone; light and dark.
std::string to_svg(const Drawing& drawing);

}  // namespace regard

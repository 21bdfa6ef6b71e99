#pragma once

#include "nn/tools/draw/drawing.h"

#include <string>

namespace regard {

// What is in sight, for Graphviz: dot -Tpdf drawing.dot
std::string to_dot(const Drawing& drawing);

}  // namespace regard

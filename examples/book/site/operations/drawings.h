#pragma once

#include <string>

#include "examples/book/site/operations/measured.h"

namespace regard::site {

// Pictures as SVG files. They are shown on white.
std::string draw_curve(const Measured::Curve& curve);
std::string draw_influence(const Measured::Influence& influence);

}  // namespace regard::site

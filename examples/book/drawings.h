#pragma once

#include "examples/book/sketch.h"

namespace regard::book {

std::vector<Drawing> recorded_graphs();  // as the library draws them

}  // namespace regard::book

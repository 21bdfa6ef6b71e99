#pragma once

#include "tensor/shape.h"

#include <optional>
#include <string>

namespace regard::bisecting {

// A factor as people write it: "2", "−1/3", "√8"; with the axis whose size it is: "1/3, where 3 is the size of axis 0
// of the result". Nothing for numbers such as 0.3712, which nobody would write by mistake.
std::optional<std::string> as_written(double c, const Shape& input, const Shape& result);

}  // namespace regard::bisecting

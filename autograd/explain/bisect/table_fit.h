#pragma once

#include "tensor/shape.h"

#include <optional>
#include <string>
#include <vector>

namespace regard::bisecting {

using Table = std::vector<double>;

double largest(const Table& a);  // of the absolute values; NaN if there is one

// Are they the same, up to what measuring costs: a hundred-thousandth of the largest number?
bool agree(const Table& a, const Table& b);

// The c for which b = c·a, if there is one.
std::optional<double> ratio(const Table& a, const Table& b);

// A factor as people write it: "2", "−1/3", "√8"; with the axis whose size it is: "1/3, where 3 is the size of axis 0
// of the result". Nothing for numbers such as 0.3712, which nobody would write by mistake.
std::optional<std::string> as_written(double c, const Shape& input, const Shape& result);

}  // namespace regard::bisecting

#pragma once

#include "tensor/shape.h"

#include <optional>
#include <string>
#include <vector>

namespace regard::bisecting {

using Table = std::vector<double>;

double largest(const Table& a);  // of the absolute values; NaN if there is one

inline constexpr double tolerance_of_fits = 1e-5;  // what measuring costs

// Are they the same, up to this part of the largest number?
bool agree(const Table& a, const Table& b, double tolerance = tolerance_of_fits);

// The c for which b = c·a, if there is one.
std::optional<double> ratio(const Table& a, const Table& b, double tolerance = tolerance_of_fits);

// A factor as people write it: "2", "−1/3", "√8"; with the axis whose size it is: "1/3, where 3 is the size of axis 0
// of the result". Nothing for numbers such as 0.3712, which nobody would write by mistake.
std::optional<std::string> as_written(double c, const Shape& input, const Shape& result);

}  // namespace regard::bisecting

#pragma once

#include "autograd/record.h"

#include <optional>

namespace regard::anomaly {

// Some elements of a tensor: for each axis an index, or nothing for all of the axis. It prints as "(2, :)".
using Site = std::vector<std::optional<std::int64_t>>;
std::string to_string(const Site& site);

// The first element that is NaN or, if `nan` is false, infinite, in row-major order.
std::optional<Site> first_bad(const Tensor& x, bool nan);

// What an operation read of an input of shape `input` for elements of its result. Of an operation that works on each
// element alone this is the element itself; of a product it is a row or a column; of a reduction all that fell onto the
// element; and where that cannot be told from shapes and NaN it is everything.
Site read_for(const OpInfo& op, std::size_t i, const Shape& input, const Site& of_result, const Tensor& result);

// The elements of the result for which elements of an input were read, where that can be told; else everything.
Site made_from(const OpInfo& op, const Site& of_input, const Shape& input, const Shape& result);

// The first infinite element that was made from finite ones, if the operation works on each element alone. Nothing if
// there is none, and for other operations.
std::optional<Site> first_overflow(const OpInfo& op, const graph::Inputs& inputs, const Tensor& result);

// What stands there.
struct Extremes {
  double low, high;  // NaN aside
  std::int64_t count = 0, nans = 0;
};
Extremes extremes_of(const Tensor& x, const Site& site);

// For messages: "0 at (2, 0)", "−3 to ∞ in (2, :), and 1 NaN"; without a site "0", "−3 to ∞, and 1 NaN".
std::string told(const Extremes& extremes, const Site& site = {});

}  // namespace regard::anomaly

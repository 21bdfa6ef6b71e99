#pragma once

#include "autograd/all.h"
#include "tests/given.h"

#include <vector>

namespace regard {

inline Variable leaf(const Nested& data) { return parameter(f64(data)); }

using Numbers = std::vector<double>;

}  // namespace regard

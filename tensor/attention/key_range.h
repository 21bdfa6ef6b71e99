#pragma once

#include <cstdint>

namespace regard {

struct KeyRange {
  std::int64_t first, last;  // the keys first ≤ j < last
};

}  // namespace regard

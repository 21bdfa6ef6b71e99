#pragma once

#include "nn/attention/mask.h"

#include <algorithm>

namespace regard::nn {

// Sliding-window attention. A query sees the keys that are less than `width` positions away. Information still travels
// further: after n layers, n·(width − 1) positions. The variant is a mask, so any score can use it.
//   attention(x, x, x, sliding_window(3) & Mask::causal());
inline Mask sliding_window(std::int64_t width) {
  if (width < 1) fail<ValueError>("sliding_window: the width is {}: it must be 1 or more", width);
  const std::int64_t reach = std::min(width, std::int64_t{1} << 60);  // so that sums with positions stay in range
  return Mask::by_range(fmt::format("window {}", width), [reach](std::int64_t query) {
    return KeyRange{query - reach + 1, query + reach};
  });
}

}  // namespace regard::nn

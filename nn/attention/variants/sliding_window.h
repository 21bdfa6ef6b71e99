#pragma once

#include "nn/attention/mask.h"

namespace regard::nn {

// Sliding-window attention. A query sees the keys that are less than `width` positions away. Information still travels
// further: after n layers, n·(width − 1) positions. The variant is a mask, so any score can use it.
//   attention(x, x, x, sliding_window(3) & Mask::causal());
Mask sliding_window(std::int64_t width);

}  // namespace regard::nn

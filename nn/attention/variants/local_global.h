#pragma once

#include "nn/attention/mask.h"

namespace regard::nn {

// Local and global attention. Most positions see their neighbours only, as in a sliding window; the first few are
// global: they see all, and all see them. So any two positions are at most two steps apart, for n·(width + globals)
// pairs instead of n².
Mask local_global(std::int64_t width, std::int64_t globals);

}  // namespace regard::nn

#pragma once

#include "nn/attention/mask.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"

namespace regard::nn {

// Local and global attention. Most positions see their neighbours only, as in a sliding window; the first few are
// global: they see all, and all see them. So any two positions are at most two steps apart, for about
// 2n·(width + globals) pairs instead of n².
inline Mask local_global(std::int64_t width, std::int64_t globals) {
  if (width < 1 || globals < 0)
    fail<ValueError>("local_global: width {}, {} global: they must be 1 or more, and 0 or more", width, globals);
  return Mask::by_position(fmt::format("window {} with {} global", width, globals),
                           [=](const Tensor& query, const Tensor& key) {
                             const Tensor is_near = less(abs(query - key), static_cast<double>(width));
                             return maximum(is_near, less(minimum(query, key), static_cast<double>(globals)));
                           });
}

}  // namespace regard::nn

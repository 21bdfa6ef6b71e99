#include "nn/attention/variants/local_global.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"

namespace regard::nn {

Mask local_global(std::int64_t width, std::int64_t globals) {
  if (width < 1 || globals < 0)
    fail<ValueError>("local_global: width {}, {} global: they must be 1 or more, and 0 or more", width, globals);
  return Mask::by_position(fmt::format("window {} with {} global", width, globals),
                           [=](const Tensor& query, const Tensor& key) {
                             const Tensor is_near = less(abs(query - key), static_cast<double>(width));
                             return maximum(is_near, less(minimum(query, key), static_cast<double>(globals)));
                           });
}

}  // namespace regard::nn

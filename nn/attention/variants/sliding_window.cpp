#include "nn/attention/variants/sliding_window.h"

#include <algorithm>

namespace regard::nn {

Mask sliding_window(std::int64_t width) {
  if (width < 1) fail<ValueError>("sliding_window: the width is {}: it must be 1 or more", width);
  const std::int64_t reach = std::min(width, std::int64_t{1} << 60);  // so that sums with positions stay in range
  return Mask::by_range(fmt::format("window {}", width), [reach](std::int64_t query) {
    return KeyRange{query - reach + 1, query + reach};
  });
}

}  // namespace regard::nn

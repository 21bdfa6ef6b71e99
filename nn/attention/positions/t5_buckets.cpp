#include "nn/attention/positions/t5_buckets.h"

#include <algorithm>
#include <cmath>

namespace regard::nn {
namespace {

std::int64_t bucket_of(std::int64_t distance, std::int64_t count, std::int64_t max_distance) {
  const std::int64_t exact = count / 2;
  if (distance < exact) return distance;
  const double far = std::log(static_cast<double>(distance) / static_cast<double>(exact)) /
                     std::log(static_cast<double>(max_distance) / static_cast<double>(exact));
  const auto beyond = static_cast<std::int64_t>(far * static_cast<double>(count - exact));
  return std::min(count - 1, exact + beyond);
}

}  // namespace

std::int64_t t5_bucket(std::int64_t ahead, const T5Options& o) {
  const bool both = o.direction == T5Options::Direction::both;
  const std::int64_t count = both ? o.buckets / 2 : o.buckets;
  if (count < 2 || o.max_distance <= count / 2)
    fail<ValueError>(
        "t5_bucket: {} buckets up to distance {}: there must be two or more in each direction, and the "
        "distance must be beyond those that have a bucket each",
        o.buckets, o.max_distance);
  const std::int64_t distance = both ? std::abs(ahead) : std::max<std::int64_t>(-ahead, 0);
  const std::int64_t first = both && ahead > 0 ? count : 0;
  return first + bucket_of(distance, count, o.max_distance);
}

}  // namespace regard::nn

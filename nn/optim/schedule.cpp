#include "nn/optim/schedule.h"

#include "tensor/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace regard::optim {
namespace {

void require_at_least(const char* schedule, const char* name, std::int64_t value, std::int64_t least) {
  if (value < least) fail<ValueError>("{}: {} = {} must be {} or more", schedule, name, value, least);
}

double ratio(std::int64_t a, std::int64_t b) { return static_cast<double>(a) / static_cast<double>(b); }

}  // namespace

double LinearDecay::operator()(std::int64_t t) const {
  require_at_least("LinearDecay", "t", t, 0);
  require_at_least("LinearDecay", "total", total, 1);
  return start + (end - start) * ratio(std::min(t, total), total);
}

double WarmupInverseSqrt::operator()(std::int64_t t) const {
  require_at_least("WarmupInverseSqrt", "t", t, 0);
  require_at_least("WarmupInverseSqrt", "warmup", warmup, 1);
  return peak * std::min(ratio(t + 1, warmup), std::sqrt(ratio(warmup, t + 1)));
}

double WarmupCosine::operator()(std::int64_t t) const {
  require_at_least("WarmupCosine", "t", t, 0);
  require_at_least("WarmupCosine", "warmup", warmup, 0);
  require_at_least("WarmupCosine", "total", total, warmup + 1);
  if (t < warmup) return peak * ratio(t + 1, warmup);
  const double angle = std::numbers::pi * ratio(std::min(t, total) - warmup, total - warmup);
  return end + (peak - end) * (1 + std::cos(angle)) / 2;
}

}  // namespace regard::optim

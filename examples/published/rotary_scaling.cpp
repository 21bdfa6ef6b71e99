#include "examples/published/rotary_scaling.h"

#include "tensor/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace regard::nn::rotary {
namespace {

double real(std::int64_t x) { return static_cast<double>(x); }

void require_above_0(const char* name, const char* what, double x) {
  if (!(x > 0 && std::isfinite(x)))
    fail<ValueError>("rotary::{}: {} is {}: it must be above 0, and finite", name, what, x);
}

// How often a pair turns within so many positions.
double turns(double frequency, std::int64_t length) { return real(length) * frequency / (2 * std::numbers::pi); }

// ωⱼ ↦ stays·ωⱼ + (1 − stays)·ωⱼ/factor, where stays(j, ωⱼ) is between 0 and 1.
template <class Stays>
RotaryFrequencies mixed(RotaryFrequencies frequencies, double factor, const Stays& stays) {
  for (std::size_t j = 0; j < frequencies.of_pairs.size(); ++j) {
    double& frequency = frequencies.of_pairs[j];
    const double share = std::clamp(stays(static_cast<double>(j), frequency), 0.0, 1.0);
    frequency = share * frequency + (1 - share) * frequency / factor;
  }
  return frequencies;
}

}  // namespace

RotaryFrequencies linear(std::int64_t pairs, double base, double factor) {
  require_above_0("linear", "the factor", factor);
  return mixed(plain(pairs, base), factor, [](double, double) { return 0.0; });
}

RotaryFrequencies dynamic_ntk(std::int64_t pairs, double base, const DynamicNtk& o) {
  require_above_0("dynamic_ntk", "the factor", o.factor);
  require_above_0("dynamic_ntk", "the trained length", real(o.trained));
  if (pairs < 2) fail<ValueError>("rotary::dynamic_ntk: {} pairs: the slowest must be another than the fastest", pairs);
  const double longer = std::max(1.0, real(o.length) / real(o.trained)), slower = o.factor * longer - (o.factor - 1);
  return plain(pairs, base * std::pow(slower, real(pairs) / real(pairs - 1)));
}

// Pair j turns n times within the trained length if base^(−j/P)·trained = 2πn, so j = P·ln(trained/2πn)/ln(base).
RotaryFrequencies yarn(std::int64_t pairs, double base, const Yarn& o) {
  require_above_0("yarn", "the factor", o.factor);
  require_above_0("yarn", "the trained length", real(o.trained));
  const auto pair_of = [&](double n) { return real(pairs) * std::log(turns(1, o.trained) / n) / std::log(base); };
  double begin = pair_of(o.fast), end = pair_of(o.slow);
  if (o.whole) begin = std::floor(begin), end = std::ceil(end);
  begin = std::max(begin, 0.0), end = std::min(end, real(2 * pairs - 1));
  if (begin == end) end += 0.001;
  RotaryFrequencies frequencies =
      mixed(plain(pairs, base), o.factor, [&](double j, double) { return 1 - (j - begin) / (end - begin); });
  const auto more = [&](double weight) { return o.factor <= 1 ? 1 : 1 + 0.1 * weight * std::log(o.factor); };
  frequencies.times = o.times.value_or(more(o.weight) / more(o.weight_of_all));
  return frequencies;
}

RotaryFrequencies llama3(std::int64_t pairs, double base, const Llama3& o) {
  require_above_0("llama3", "the factor", o.factor);
  require_above_0("llama3", "the trained length", real(o.trained));
  if (!(o.low < o.high)) fail<ValueError>("rotary::llama3: low {} must be below high {}", o.low, o.high);
  return mixed(plain(pairs, base), o.factor,
               [&](double, double frequency) { return (turns(frequency, o.trained) - o.low) / (o.high - o.low); });
}

RotaryFrequencies longrope(std::int64_t pairs, double base, const LongRope& o) {
  const std::vector<double>& factors = o.length > o.trained ? o.long_factors : o.short_factors;
  RotaryFrequencies frequencies = plain(pairs, base);
  if (!o.times) require_above_0("longrope", "the trained length less 1", real(o.trained) - 1);
  if (factors.size() != frequencies.of_pairs.size())
    fail<ValueError>("rotary::longrope: {} factors for {} pairs: there must be one for each", factors.size(), pairs);
  for (std::size_t j = 0; j < factors.size(); ++j) {
    require_above_0("longrope", "a factor", factors[j]);
    frequencies.of_pairs[j] /= factors[j];
  }
  const auto more = [&] { return o.factor <= 1 ? 1 : std::sqrt(1 + std::log(o.factor) / std::log(real(o.trained))); };
  frequencies.times = o.times ? *o.times : more();
  return frequencies;
}

}  // namespace regard::nn::rotary

#include "tensor/random/transforms.h"

#include <cmath>
#include <numbers>

namespace regard {

double to_unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

// With u, v uniform, √(−2 log u)·cos(2πv) is normal: its square radius and its angle are those of a point whose two
// coordinates are independent normals. 1 − u is as uniform as u and never 0.
double to_normal(const Generator::Draw& d) {
  return std::sqrt(-2 * portable_log(1 - to_unit(d.first))) * portable_cos_turns(to_unit(d.second));
}

double affine(double shift, double scale, double x) { return shift + scale * x; }

// x = m·2ᵉ with √½ ≤ m < √2. With s = (m − 1)/(m + 1), log m = 2·(s + s³/3 + s⁵/5 + …), and |s| < 0.172.
double portable_log(double x) {
  int exponent;
  double m = std::frexp(x, &exponent);  // exact: it only moves the exponent
  if (m < std::numbers::sqrt2 / 2) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1), s2 = s * s;
  double series = 0;
  for (int k = 21; k >= 1; k -= 2) series = series * s2 + 1.0 / k;
  return exponent * std::numbers::ln2 + 2 * s * series;
}

// By symmetry the angle is brought into an eighth of a turn, where Taylor's series of cos and sin converge fast.
double portable_cos_turns(double turns) {
  if (turns > 0.5) turns = 1 - turns;                         // cos(−x) = cos x
  if (turns > 0.25) return -portable_cos_turns(0.5 - turns);  // cos(π − x) = −cos x
  const bool near_quarter = turns > 0.125;                    // cos x = sin(π/2 − x)
  const double x = 2 * std::numbers::pi * (near_quarter ? 0.25 - turns : turns), x2 = x * x;
  double series = 1;
  for (int k = near_quarter ? 17 : 16; k > 1; k -= 2) series = 1 - series * x2 / (k * (k - 1));
  return near_quarter ? x * series : series;
}

}  // namespace regard

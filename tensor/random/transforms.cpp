#include "tensor/random/transforms.h"

#include <cmath>
#include <numbers>

namespace regard {

// The upper 53 bits are a whole number below 2⁵³, which a double holds exactly.
double to_unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

// The method of Box and Muller. Take a point of the plane whose two coordinates are normal and independent. Its angle
// is uniform, and its distance r from the origin exceeds t with probability e^(−t²/2), so r = √(−2 log u) with u
// uniform. Backwards: with u and v uniform, √(−2 log u)·cos(2πv) is one coordinate of such a point. 1 − u is as uniform
// as u, but never 0, whose logarithm is infinite.
double to_normal(const Generator::Draw& d) {
  return std::sqrt(-2 * portable_log(1 - to_unit(d.first))) * portable_cos_turns(to_unit(d.second));
}

double affine(double shift, double scale, double x) { return shift + scale * x; }

// x = m·2ᵉ with √½ ≤ m < √2, so log x = e·log 2 + log m. With s = (m − 1)/(m + 1), log m = 2·(s + s³/3 + s⁵/5 + …), and
// |s| < 0.172: what is left out after s²¹/21 is less than 10⁻¹⁸. The sum is s·(1 + s²·(1/3 + s²·(1/5 + …))).
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

// By symmetry the angle is brought into an eighth of a turn, x ≤ π/4, where Taylor's series converge fast:
//   cos x = 1 − x²/(1·2)·(1 − x²/(3·4)·(1 − …))
//   sin x = x·(1 − x²/(2·3)·(1 − x²/(4·5)·(1 − …)))
// Both are computed from the innermost bracket outwards; k is the larger number of its denominator.
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

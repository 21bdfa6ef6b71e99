#pragma once

#include <array>

namespace regard::gradchecks {

// How a function behaves near a point, from samples y(t) at t = h/n, 2h/n, …, h: the polynomial that fits them best,
//
//   y(t) ≈ c₀ + c₁·t + c₂·t² + c₃·t³ + c₄·t⁴
//
// of which c₁ is wanted, the slope. There are more samples than coefficients, so the polynomial cannot follow noise:
// what it leaves over is the noise, measured instead of guessed. Rounding inside the function is noise, and so is a
// bend that no polynomial of this degree has.
inline constexpr int sample_count = 12;
using Samples = std::array<double, sample_count>;

struct FittedSlope {
  double slope = 0;  // c₁
  double noise = 0;  // the slope may be off by this much: 30 standard errors, as roundings are not independent
};
FittedSlope fitted_slope(const Samples& y, double h);

}  // namespace regard::gradchecks

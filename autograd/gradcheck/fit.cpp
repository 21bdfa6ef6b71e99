#include "autograd/gradcheck/fit.h"

#include <cmath>

namespace regard::gradchecks {
namespace {

constexpr int powers = 5;  // t⁰ … t⁴

double product(const Samples& a, const Samples& b) {
  double sum = 0;
  for (int i = 0; i < sample_count; ++i) sum += a[i] * b[i];
  return sum;
}

// a −= along·(a·along), for an `along` of length 1: what is left is at a right angle to it.
void take_out(Samples& a, const Samples& along) {
  const double share = product(a, along);
  for (int i = 0; i < sample_count; ++i) a[i] -= share * along[i];
}

// Directions of length 1 at right angles to each other, which together reach every polynomial: t⁰, then what is new in
// t², in t³, in t⁴, and last what only t¹ brings (Gram and Schmidt's way). Along the last one c₁ can be read off, as
// the others have no part in it.
struct Directions {
  std::array<Samples, powers> unit;
  double length_of_last;
};

Directions make_directions() {
  Directions made{};
  const std::array<int, powers> order{0, 2, 3, 4, 1};
  for (int n = 0; n < powers; ++n) {
    Samples& d = made.unit[n];
    for (int i = 0; i < sample_count; ++i) d[i] = std::pow((i + 1.0) / sample_count, order[n]);
    for (int twice = 0; twice < 2; ++twice)  // the second time takes out what rounding left of the first
      for (int before = 0; before < n; ++before) take_out(d, made.unit[before]);
    made.length_of_last = std::sqrt(product(d, d));
    for (double& x : d) x /= made.length_of_last;
  }
  return made;
}

}  // namespace

FittedSlope fitted_slope(const Samples& y, double h) {
  static const Directions directions = make_directions();
  Samples left_over = y;
  const double along_last = product(y, directions.unit.back());
  for (int twice = 0; twice < 2; ++twice)
    for (const Samples& d : directions.unit) take_out(left_over, d);
  const double deviation = std::sqrt(product(left_over, left_over) / (sample_count - powers));
  const double scale = directions.length_of_last * h;
  return {along_last / scale, 30 * deviation / scale};
}

}  // namespace regard::gradchecks

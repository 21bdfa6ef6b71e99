#include "tensor/compare.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace regard {
namespace {

double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double d = std::abs(a - b);
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

}  // namespace

bool identical(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape() || a.dtype() != b.dtype()) return false;
  const Tensor x = contiguous(a), y = contiguous(b);
  return std::memcmp(x.bytes(), y.bytes(), static_cast<std::size_t>(x.numel()) * size_of(a.dtype())) == 0;
}

bool allclose(const Tensor& a, const Tensor& b, double relative, double absolute) {
  if (a.shape() != b.shape()) return false;
  const auto x = to_vector(a), y = to_vector(b);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double allowed = std::isfinite(y[i]) ? absolute + relative * std::abs(y[i]) : 0;
    if (distance(x[i], y[i]) > allowed) return false;
  }
  return true;
}

double largest_difference(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape()) fail<ShapeError>("largest_difference: {} and {} differ", a.shape(), b.shape());
  const auto x = to_vector(a), y = to_vector(b);
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, distance(x[i], y[i]));
  return largest;
}

}  // namespace regard

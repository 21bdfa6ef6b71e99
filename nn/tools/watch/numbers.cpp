#include "nn/tools/watch/numbers.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

#include <cmath>

namespace regard::nn {

double Spread::deviation() const { return std::sqrt(variance); }

void Spread::add(const Spread& more) {
  if (more.count == 0) return;
  const auto n = static_cast<double>(count), m = static_cast<double>(more.count), all = n + m;
  const double gap = more.mean - mean;
  variance = (n * variance + m * more.variance + gap * gap * n * m / all) / all;
  mean += gap * m / all;
  zeros = (n * zeros + m * more.zeros) / all;
  count += more.count;
}

Spread spread_of(const Tensor& x) {
  if (x.numel() == 0) return {};
  const Tensor wide = to(x, DType::f64);
  const double zeros = sum(equal(wide, 0.0)).item() / static_cast<double>(x.numel());
  return {x.numel(), mean(wide).item(), var(wide).item(), zeros};
}

double sum_of_squares(const Tensor& x) { return sum(square(to(x, DType::f64))).item(); }
double length_of(const Tensor& x) { return std::sqrt(sum_of_squares(x)); }

}  // namespace regard::nn

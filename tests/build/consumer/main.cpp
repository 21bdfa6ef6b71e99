// A program of someone who has installed regard: d/dx tanh(x) = 1 − tanh(x)².

#include <cmath>
#include <cstdio>

#include "autograd/all.h"

int main() {
  using namespace regard;
  Variable x = parameter(tensor({0.5, -1.0}, DType::f64));
  sum(tanh(x)).backward();
  const Tensor gradient = x.gradient().value();
  const double expected = 1 - std::pow(std::tanh(0.5), 2);
  std::printf("%.6f, expected %.6f\n", gradient.at({0}), expected);
  return std::abs(gradient.at({0}) - expected) < 1e-12 ? 0 : 1;
}

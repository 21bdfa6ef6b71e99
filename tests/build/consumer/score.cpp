// A score of someone who has installed regard, Σ θ·q·k: its tiles are compiled here, and called by the library.
// For one query of ones and the keys 0 and k, with values 0 and 1, the output is p = 1/(1 + e^−Σ θ·k), and ∂p/∂θ = p(1
// − p)·k.

#include <cmath>
#include <cstdio>

#include "nn/all.h"

int main() {
  using namespace regard;
  constexpr std::int64_t features = 20;  // more than one register of parameters
  const Tensor k = arange(features, DType::f32) * 0.01;
  const Variable theta = parameter(ones({features}, DType::f32));
  const Variable keys = tensor({{0.0}, {1.0}}) * k;
  const Variable p = fused_attention(score([](auto q, auto key, auto w) { return w * q * key; }), ones({1, features}),
                                     keys, tensor({{0.0}, {1.0}}), {.parameters = theta});
  sum(p).backward();

  const double expected = 1 / (1 + std::exp(-sum(k).item()));
  const double off = std::abs(p.value().at({0, 0}) - expected);
  const double slope_off = max(abs(theta.gradient().value() - expected * (1 - expected) * k)).item();
  std::printf("a score compiled here is off by %.1e, its slopes by %.1e\n", off, slope_off);
  return off < 1e-6 && slope_off < 1e-6 ? 0 : 1;
}

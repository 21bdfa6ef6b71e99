// A program of someone who has installed regard: steps against the gradient of (w − 3)² lead w to 3.

// book: smallest
#include <cmath>

#include "autograd/all.h"

int main() {
  using namespace regard;
  Variable w = parameter(tensor(0.0, DType::f64));
  for (int step = 0; step < 50; ++step) {
    const Variable loss = square(w - 3);
    w.clear_gradient();
    loss.backward();
    assign(w, w.value() - 0.1 * w.gradient().value());
  }
  fmt::print("w = {:.4f}\n", w.item());
  return std::abs(w.item() - 3) < 1e-4 ? 0 : 1;
}
// book: /smallest

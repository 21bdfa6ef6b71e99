// Element by element, sums, softmax and layer norm over 16M floats, with the allocation of the result. torch_peer.py
// measures PyTorch likewise.
#include "tensor/ops/pointwise.h"

#include "tensor/fused/layer_norm.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/softmax.h"
#include "tensor/view.h"
#include "tests/bench/measure.h"

namespace regard::bench {
namespace {

// `floats`: how many are read and written for each element; `operations`: how many for each, where that can be counted.
void each(const std::string& name, int floats, int operations, const std::function<Tensor()>& compute) {
  const double elements = 4096.0 * 4096.0;
  for (const int threads : {1, 2})
    measure({"pointwise/" + name, threads}, "regard", {operations * elements, floats * elements * sizeof(float)},
            [=] { return [=] { compute(); }; });
}

const Tensor& x() { return operand({4096, 4096}); }
const Tensor& y() { return operand({4096, 4096}, 1); }
Tensor rows() { return reshape(x(), {-1, 1024}); }

}  // namespace

void register_measurements() {
  each("exp", 2, 0, [] { return exp(x()); });
  each("tanh", 2, 0, [] { return tanh(x()); });
  each("sigmoid", 2, 0, [] { return sigmoid(x()); });
  each("gelu", 2, 0, [] { return gelu(x()); });
  each("add", 3, 1, [] { return x() + y(); });
  each("multiply", 3, 1, [] { return x() * y(); });
  each("sum", 1, 1, [] { return sum(x()); });
  each("softmax", 2, 0, [] { return softmax(rows(), -1); });
  each("layer_norm", 2, 0, [] { return layer_norm(rows(), operand({1024}, 2), operand({1024}, 3)).y; });
}

}  // namespace regard::bench

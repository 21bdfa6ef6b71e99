// Element by element, sums, softmax and layer norm over 16M floats, and functions over 64K as well, which fit into the
// caches; with the allocation of the result. torch_peer.py measures PyTorch likewise, and ONNX Runtime computes the
// functions on the same numbers.
#include "tensor/ops/pointwise.h"

#include "tensor/fused/norm.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/softmax.h"
#include "tensor/view.h"
#include "tests/bench/measure.h"
#include "tests/bench/peers/ort.h"

namespace regard::bench {
namespace {

Tensor x() { return operand({4096, 4096}); }
Tensor y() { return operand({4096, 4096}, 1); }
Tensor rows() { return reshape(x(), {-1, 1024}); }
Tensor few_rows() { return operand({64, 1024}); }

// `floats`: how many are read and written for each element; `operations`: how many for each, where that can be counted.
void each(const std::string& name, int floats, int operations, const std::function<Tensor()>& compute) {
  const double elements = 4096.0 * 4096.0;
  for (const int threads : {1, 2})
    measure({"pointwise/" + name, threads}, "regard", {operations * elements, floats * elements * sizeof(float)},
            [=] { return [=] { compute(); }; });
}

// A function of one tensor, at both sizes, and its name in ONNX.
void function(const std::string& name, const onnx::Operation& operation, Tensor (*compute)(const Tensor&)) {
  each(name, 2, 0, [=] { return compute(rows()); });
  for (const int threads : {1, 2}) {
    const Key large{"pointwise/" + name, threads}, small{"in_caches/" + name, threads};
    measure(small, "regard", {}, [=] { return [=] { compute(few_rows()); }; });
    measure_ort(large, operation, [=] { return Example{rows(), {}, compute(rows())}; });
    measure_ort(small, operation, [=] { return Example{few_rows(), {}, compute(few_rows())}; });
  }
}

}  // namespace

void register_measurements() {
  function("exp", {"Exp"}, exp);
  function("tanh", {"Tanh"}, tanh);
  function("sigmoid", {"Sigmoid"}, sigmoid);
  function("gelu", {"Gelu"}, [](const Tensor& t) { return gelu(t); });
  function("gelu_tanh", {"Gelu", {}, {{"approximate", "tanh"}}},
           [](const Tensor& t) { return gelu(t, GeluForm::tanh); });
  function("softmax", {"Softmax", {{"axis", -1}}}, [](const Tensor& t) { return softmax(t, -1); });
  each("add", 3, 1, [] { return x() + y(); });
  each("multiply", 3, 1, [] { return x() * y(); });
  each("sum", 1, 1, [] { return sum(x()); });
  each("layer_norm", 2, 0, [] { return layer_norm(rows(), operand({1024}, 2), operand({1024}, 3)).y; });
}

}  // namespace regard::bench

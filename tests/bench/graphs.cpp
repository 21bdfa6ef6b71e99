// What recording and walking a graph costs where there is little to compute: a small expression, and chains of
// operations on a single number. torch_peer.py measures PyTorch likewise.
#include "autograd/all.h"
#include "tests/bench/measure.h"

namespace regard::bench {
namespace {

// (a·b + c).tanh().sum(), forward and backward.
void expression(std::int64_t size, int threads) {
  measure({"graph/" + std::to_string(size), threads}, "regard", {}, [=] {
    Variable a = parameter(operand({size}, 0)), b = parameter(operand({size}, 1)), c = parameter(operand({size}, 2));
    return [=]() mutable {
      for (Variable* x : {&a, &b, &c}) x->clear_gradient();
      sum(tanh(a * b + c)).backward();
    };
  });
}

// x ↦ step(…step(step(x, x), x)…), built, run backward and destroyed.
template <class Step>
void chain(const std::string& name, Step step) {
  for (const int length : {1000, 20000})
    measure({"chain/" + name + "/" + std::to_string(length), 1}, "regard", {}, [=] {
      return [=] {
        const Variable x = parameter(tensor(0.5, DType::f64));
        Variable y = x;
        for (int i = 0; i < length; ++i) y = step(y, x);
        y.backward();
      };
    });
}

}  // namespace

void register_measurements() {
  for (const std::int64_t size : {1, 64, 4096})
    for (const int threads : {1, 2}) expression(size, threads);
  chain("tanh", [](const Variable& y, const Variable&) { return tanh(y); });
  chain("multiply", [](const Variable& y, const Variable& x) { return y * x; });
  chain("add_number", [](const Variable& y, const Variable&) { return y + 1.0; });
}

}  // namespace regard::bench

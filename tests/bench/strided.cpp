// Operands that are transposed, gapped or repeated, next to the same operation on contiguous ones.
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"
#include "tests/bench/measure.h"

namespace regard::bench {
namespace {

constexpr std::int64_t n = 4096;
Tensor x() { return operand({n, n}); }
Tensor y() { return operand({n, n}, 1); }

void compare(const std::string& name, const std::function<Tensor()>& strided,
             const std::function<Tensor()>& contiguous) {
  for (const int threads : {1, 2}) {
    const Key key{"strided/" + name, threads};
    measure(key, "regard", {}, [=] { return [=] { strided(); }; });
    measure(key, "contiguous", {}, [=] { return [=] { contiguous(); }; });
  }
}

}  // namespace

void register_measurements() {
  compare(
      "exp_transposed", [] { return exp(transpose(x())); }, [] { return exp(x()); });
  compare(
      "exp_every_second",
      [] {
        return exp(slice(operand({n, 2 * n}), 1, 0, to_end, 2));
      },
      [] { return exp(x()); });
  compare(
      "add_transposed", [] { return x() + transpose(y()); }, [] { return x() + y(); });
  compare(
      "add_row", [] { return x() + operand({n}); }, [] { return x() + y(); });
  compare(
      "add_column",
      [] {
        return x() + operand({n, 1});
      },
      [] { return x() + y(); });
  compare(
      "sum_transposed", [] { return sum(transpose(x()), -1); }, [] { return sum(x(), -1); });
}

}  // namespace regard::bench

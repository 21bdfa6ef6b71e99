// The rungs of the matmul ladder one by one, and the last of them alone on small matrices, where what a tensor costs
// would hide it.
#include "tensor/matmul/ladder.h"
#include "tests/bench/measure.h"
#include "tests/bench/peers.h"

#include <vector>

namespace regard::bench {
namespace {

using Matrix = matmul_ladder::Matrix<float>;

using Rung = matmul_ladder::Rung<float>;

const std::vector<Rung> rungs = matmul_ladder::ladder<float>();

Matrix square(const Tensor& x) { return {x.data<float>(), x.size(0), x.size(1), x.size(1), 1}; }

void measure_rung(const Key& key, const std::string& who, std::int64_t n, const Rung& rung) {
  const auto numbers = static_cast<double>(3 * n * n);
  measure(key, who, {Product{1, n, n, n}.flops(), numbers * sizeof(float)}, [=] {
    const Tensor a = operand({n, n}), b = operand({n, n}, 1);
    Tensor c = empty({n, n}, DType::f32);
    return [=]() mutable { rung.multiply(square(a), square(b), c.writable<float>(), n); };
  });
}

void measure_peers(const Key& key, std::int64_t n) {
  const Product product{1, n, n, n};
  for (const Peer& peer : peers()) {
    if (!peer.prepare_f32(product)) continue;
    measure(key, peer.name, {product.flops()}, [=] {
      const Tensor a = operand({n, n}), b = operand({n, n}, 1);
      Tensor c = empty({n, n}, DType::f32);
      const auto multiply = peer.prepare_f32(product);
      return [=]() mutable { multiply(a.data<float>(), b.data<float>(), c.writable<float>()); };
    });
  }
}

}  // namespace

void register_measurements() {
  constexpr std::int64_t n = 1024;
  for (const int threads : {1, 2}) {
    const Key key{"ladder/1024", threads};
    for (const Rung& rung : rungs) {
      const bool uses_threads = &rung == &rungs.back();
      if (threads == 1 || uses_threads) measure_rung(key, rung.name, n, rung);
    }
    measure_peers(key, n);
  }
  for (const std::int64_t size : {16, 32, 64}) {
    const Key key{"kernel/" + std::to_string(size), 1};
    measure_rung(key, "regard", size, rungs.back());
    measure_peers(key, size);
  }
}

}  // namespace regard::bench

// Products of matrices: squares, the batches of attention, linear layers; ours, as a tensor with its allocation,
// against peers that write into memory prepared for them.
#include "tensor/ops/matmul.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"
#include "tests/bench/measure.h"
#include "tests/bench/peers.h"

#include <array>

namespace regard::bench {
namespace {

Tensor stored(const Product& p, bool is_b, DType dtype) {
  const bool transposed = is_b ? p.b_transposed : p.a_transposed;
  const std::int64_t rows = is_b ? p.k : p.m, columns = is_b ? p.n : p.k;
  return operand({p.batch, transposed ? columns : rows, transposed ? rows : columns}, is_b, dtype);
}

// A (batch, rows, columns) tensor as the operand it stands for; a batch of one is a matrix.
Tensor as_operand(Tensor x, bool transposed) {
  if (x.size(0) == 1) x = squeeze(x, 0);
  return transposed ? transpose(x) : x;
}

template <class T>
Multiply<T> prepare(const Peer& peer, const Product& p) {
  if constexpr (std::is_same_v<T, float>) {
    return peer.prepare_f32 ? peer.prepare_f32(p) : nullptr;
  } else {
    return peer.prepare_f64 ? peer.prepare_f64(p) : nullptr;
  }
}

// What a peer computes must be the same product, of which a small one tells as much as a large one.
template <class T>
void check(const Multiply<T>& multiply, const Product& p, const Tensor& a, const Tensor& b, Tensor& c) {
  if (p.flops() > 1 << 24) return;
  multiply(a.data<T>(), b.data<T>(), c.writable<T>());
  const Tensor expected = matmul(p.a_transposed ? transpose(a) : a, p.b_transposed ? transpose(b) : b);
  if (!(max(abs(c - expected)).item() < 1e-4)) fail<Error>("a peer computes another product");
}

template <class T>
void compare(const std::string& what, const Product& p) {
  const DType dtype = dtype_of<T>();
  const double numbers = static_cast<double>(p.batch * (p.m * p.k + p.k * p.n + p.m * p.n));
  const Work work{p.flops(), numbers * sizeof(T)};
  for (const int threads : {1, 2}) {
    const Key key{what, threads};
    measure(key, "regard", work, [=] {
      const Tensor a = as_operand(stored(p, false, dtype), p.a_transposed);
      const Tensor b = as_operand(stored(p, true, dtype), p.b_transposed);
      return [=] { matmul(a, b); };
    });
    for (const Peer& peer : peers()) {
      if (!prepare<T>(peer, p)) continue;
      measure(key, peer.name, work, [=] {
        const Tensor a = stored(p, false, dtype), b = stored(p, true, dtype);
        Tensor c = empty({p.batch, p.m, p.n}, dtype);
        const Multiply<T> multiply = prepare<T>(peer, p);
        check(multiply, p, a, b, c);
        return [=]() mutable { multiply(a.data<T>(), b.data<T>(), c.writable<T>()); };
      });
    }
  }
}

std::string joined(const std::vector<std::int64_t>& numbers, const char* separator) {
  std::string text;
  for (const std::int64_t number : numbers) text += (text.empty() ? "" : separator) + std::to_string(number);
  return text;
}

}  // namespace

void register_measurements() {
  for (const std::int64_t n : {16, 32, 64, 128, 256, 512, 1024, 2048, 4096}) {
    const std::string size = std::to_string(n);
    compare<float>("square/NN/" + size, {1, n, n, n});
    compare<float>("square/NT/" + size, {1, n, n, n, false, true});
    compare<float>("square/TN/" + size, {1, n, n, n, true, false});
    compare<double>("square_f64/NN/" + size, {1, n, n, n});
  }
  for (const auto& [batch, length, width] :
       {std::array<std::int64_t, 3>{64, 64, 32}, {32, 128, 64}, {16, 512, 64}, {8, 1024, 64}}) {
    const std::string shape = joined({batch, length, width}, "x");
    compare<float>("attention/QK/" + shape, {batch, length, length, width, false, true});
    compare<float>("attention/PV/" + shape, {batch, length, width, length});
  }
  // y = x·Wᵀ of 4096 rows, from 512 features to 512 and to 2048; ∂x = ∂y·W, ∂W = ∂yᵀ·x.
  for (const std::int64_t out : {512, 2048}) {
    const std::string width = std::to_string(out);
    compare<float>("linear/y/" + width, {1, 4096, out, 512, false, true});
    compare<float>("linear/dx/" + width, {1, 4096, 512, out});
    compare<float>("linear/dw/" + width, {1, out, 512, 4096, true, false});
  }
}

}  // namespace regard::bench

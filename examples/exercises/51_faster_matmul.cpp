// 51. A faster product · grade 2 · chapter 17_machine
//
// The definition of a matrix product is three loops, and it is a hundred times slower than it could be. The first and
// largest step costs nothing: the loops are put into another order. The second takes two more loops: a piece of B that
// fits into the cache is used for all rows of A before the next piece is fetched. Try both, and look at the times. Only
// the result is judged here. How fast it is you decide: the program says how your product compares with the
// definition, and with the library's. (This file is compiled with -O2.)
//
// Hint: In which order of i, k and j does the innermost loop walk along rows of B and of C? Then c(i, j) is no longer
// finished at once, but grows, and must begin somewhere.
#include "examples/exercises/exercise.h"
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/matmul.h"
#include "tensor/random/random.h"
#include "tensor/threads/parallel.h"
#include "tensor/view.h"

#include <chrono>
#include <vector>

using namespace regard;

// TODO: C = A·B, all three n × n, row after row: a(i, k) is a[i * n + k]. C holds something else at first.
void product(const float* a, const float* b, float* c, std::int64_t n) {}

// ---- This is what checks it. ----

namespace {

void definition(const float* a, const float* b, float* c, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::int64_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

Tensor random(std::int64_t n, std::uint64_t seed) {
  Generator generator(seed);
  return normal({n, n}, generator);
}

Tensor by(const auto& multiply, const Tensor& a, const Tensor& b) {
  Tensor c = full(a.shape(), 100);
  multiply(a.data<float>(), b.data<float>(), c.writable<float>(), a.size(0));
  return c;
}

double milliseconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void check(std::int64_t n) {
  const Tensor a = random(n, 1), b = random(n, 2), right = matmul(a, b);
  const Tensor mine = by(product, a, b);
  const Tensor last = outer(select(a, 1, -1), select(b, 0, -1));  // the products for the last k
  exercises::expect(
      n < 100 || allclose(mine, right, 1e-4, 1e-4),
      fmt::format("Products of up to 64 × 64 are right, but one of {} × {} is not. If you work in blocks: "
                  "what becomes of the numbers that are left over behind the last whole block?",
                  n, n));
  exercises::expect(fmt::format("a product of {} × {}", n, n), mine, right,
                    {{full({n, n}, 100), "Nothing is written to C."},
                     {right + 100.0, "Your sums begin with what happened to stand in C. Begin with 0."},
                     {last, "Only the last k is left: add to what the others have made (+=)."},
                     {transpose(right), "This is C with rows and columns exchanged."},
                     {matmul(a, transpose(b)), "This is A·Bᵀ: row k of B begins at b[k * n]."},
                     {matmul(transpose(a), b), "This is Aᵀ·B: row i of A begins at a[i * n]."},
                     {matmul(b, a), "This is B·A."},
                     {zeros({n, n}), "All of C is 0."}},
                    1e-4);
}

}  // namespace

int main() {
  return exercises::exercise([] {
    for (const std::int64_t n : {2, 3, 64, 130}) check(n);
    const Tensor a = random(512, 1), b = random(512, 2);
    set_thread_count(1);
    const double plain = milliseconds([&] { by(definition, a, b); }), mine = milliseconds([&] { by(product, a, b); });
    const double library = milliseconds([&] { matmul(a, b); });
    fmt::print("512 × 512 on one thread: the definition {:.0f} ms, yours {:.1f} ms, the library {:.1f} ms\n", plain,
               mine, library);
    fmt::print("yours is {:.1f} times as fast as the definition\n", plain / mine);
  });
}

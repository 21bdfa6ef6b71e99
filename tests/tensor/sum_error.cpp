// How far sums of many f32 numbers are from the truth. Adding them up one by one would lose these digits.
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/order.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/softmax.h"
#include "tensor/random/random.h"
#include "tensor/view.h"
#include "tests/catch.h"

#include <cmath>

namespace regard {

namespace {

constexpr std::int64_t million = 1 << 20;

}  // namespace

TEST_CASE("sum error: sixteen million numbers, f32 against f64") {
  Generator generator(1);
  const Tensor x = uniform({16 * million}, generator);
  const double exact = sum(to(x, DType::f64)).item();
  CHECK(std::abs(sum(x).item() / exact - 1) < 2e-7);  // two units in the last place; one by one it is 1e-4 and more
}

TEST_CASE("sum error: numbers that do not lie side by side") {
  Generator generator(2);
  const Tensor x = uniform({million, 2}, generator);
  const Tensor y = sum(x, 0), exact = sum(to(x, DType::f64), 0);
  CHECK(allclose(y, exact, 1e-6, 0));
}

TEST_CASE("sum error: a constant is added up exactly as long as the sums are") {
  CHECK(sum(ones({16 * million / 8, 8})).item() == 16 * million);  // one by one, f32 would stop at 2²⁴ − 1 … 2²⁴
  CHECK(sum(expand(ones({}), {32 * million})).item() == 32.0 * million);  // beyond 2²⁴, where 1 is lost on the sum
  CHECK(mean(full({3 * million}, 0.1)).item() == Approx(double{0.1f}).epsilon(1e-7));
}

TEST_CASE("sum error: every length near the ends of lanes and blocks") {
  for (std::int64_t n :
       {1,   2,   7,   15,  16,  17,  31,  33,   127,  128,  129,  143,  144,
        145, 255, 256, 257, 384, 511, 513, 1023, 1025, 2047, 2048, 2049, 5793}) {  // sums below 2²⁴: exact in f32
    CAPTURE(n);
    const double exact = static_cast<double>(n * (n - 1) / 2);
    CHECK(sum(arange(n, DType::f32)).item() == exact);
    CHECK(sum(flip(arange(n, DType::f64), 0)).item() == exact);
    CHECK(sum(slice(arange(2 * n, DType::f64), 0, 0, to_end, 2)).item() == 2 * exact);
    CHECK(sum(arange(n)).item() == exact);
  }
  for (std::int64_t n : {8191, 8192, 100'003, 3 * (1 << 15) + 2049}) {
    CAPTURE(n);
    const double exact = static_cast<double>(n * (n - 1) / 2);
    CHECK(sum(arange(n, DType::f64)).item() == exact);
    CHECK(sum(arange(n)).item() == exact);
  }
}

TEST_CASE("sum error: rows that do not follow one another are added up piece by piece") {
  const Tensor x = slice(reshape(arange(7 * 5300, DType::f64), {7, 5300}), 1, 100, 5200);
  double exact = 0;
  for (std::int64_t row = 0; row < 7; ++row)
    for (std::int64_t column = 100; column < 5200; ++column) exact += static_cast<double>(row * 5300 + column);
  CHECK(sum(x).item() == exact);
  CHECK(sum(to(x, DType::i64)).item() == exact);
}

TEST_CASE("sum error: the last of a million running sums") {
  const Tensor sums = cumsum(full({million}, 0.1), 0);
  CHECK(sums.at({-1}) == Approx(double{0.1f} * million).epsilon(1e-7));  // added up in f32 it is off by 1e-3
}

TEST_CASE("sum error: logsumexp and softmax over a million equal numbers") {
  const double n = million;
  CHECK(logsumexp(zeros({million})).item() == Approx(std::log(n)).epsilon(1e-7));
  CHECK(max(softmax(zeros({million}), 0)).item() == 1 / n);
  CHECK(var(zeros({million})).item() == 0);
}

}  // namespace regard

// bf16: how it rounds, and what may be done with it.
#include "tensor/all.h"
#include "tests/catch.h"
#include "tests/tensor/error_case.h"

#include <bit>
#include <cmath>
#include <limits>

namespace regard {

namespace {

std::uint16_t bits_of(float x) { return to(tensor(double{x}), DType::bf16).data<BFloat16>()->bits; }

Tensor drawn(const Shape& shape, std::uint64_t seed) {
  Generator generator(seed);
  return normal(shape, generator);
}

}  // namespace

TEST_CASE("bf16: the nearest of the numbers with 8 bits of fraction, and of two the even one") {
  CHECK(bits_of(1) == 0x3F80);
  CHECK(bits_of(-2) == 0xC000);
  CHECK(bits_of(0x1.01p0F) == 0x3F80);        // 1 + 1/256 lies between 1 and 1 + 1/128: the even one is 1
  CHECK(bits_of(0x1.03p0F) == 0x3F82);        // between 1 + 1/128 and 1 + 2/128
  CHECK(bits_of(0x1.010002p0F) == 0x3F81);    // a little above the middle
  CHECK(bits_of(0x1.FFp0F) == 0x4000);        // carries into the exponent
  CHECK(bits_of(0x1.FFFFFEp127F) == 0x7F80);  // beyond the largest: infinity
  CHECK(bits_of(-std::numeric_limits<float>::infinity()) == 0xFF80);
  CHECK(std::isnan(widened(narrowed(std::bit_cast<float>(0x7F800001U)))));  // whose upper half is that of infinity
  const Tensor x = drawn({100, 7}, 1);
  const Tensor narrow = to(x, DType::bf16);
  CHECK(max(abs(to(narrow, DType::f32) / x - 1)).item() <= 1.0 / 256);
  CHECK(identical(to(to(narrow, DType::f32), DType::bf16), narrow));  // what has 8 bits loses none
  CHECK(identical(to(transpose(narrow), DType::f64), transpose(to(narrow, DType::f64))));
  CHECK(contiguous(transpose(narrow)).at({3, 50}) == narrow.at({50, 3}));
}

TEST_CASE("bf16: linear multiplies rows of f32 by it, each the same alone and among others") {
  for (const std::int64_t in : {1, 7, 16, 33, 100})
    for (const std::int64_t out : {1, 3, 8, 29}) {
      CAPTURE(in, out);
      const Tensor x = drawn({5, 3, in}, 2), b = drawn({out}, 3), w = to(drawn({out, in}, 4), DType::bf16);
      const Tensor y = linear(x, w, b), right = linear(to(x, DType::f64), to(w, DType::f64), to(b, DType::f64));
      CHECK(largest_difference(to(y, DType::f64), right) < 1e-6 * (1 + static_cast<double>(in)));
      for (const std::int64_t i : {0, 4}) {
        const Tensor row = select(select(x, 0, i), 0, 1);
        CHECK(identical(linear(row, w, b), select(select(y, 0, i), 0, 1)));
      }
      const Tensor turned = transpose(contiguous(transpose(w)));
      CHECK(identical(linear(x, turned), linear(x, w)));
    }
}

TEST_CASE("bf16: rows are picked from it, and nothing else is computed in it") {
  const Tensor w = to(tensor({{1, 2}, {3, 4}, {5, 6}}), DType::bf16);
  CHECK(to_vector(index_select(w, 0, tensor({2, 0}, DType::i64))) == std::vector<double>{5, 6, 1, 2});
  CHECK(fmt::format("{}", select(w, 0, 1)) == "[3, 4]");
  const std::string refused =
      "bf16: nothing is computed in it, but linear and index_select (convert with to(x, "
      "DType::f32))";
  check_errors({
      {[&] { w + w; }, "DTypeError", refused},
      {[&] { sum(w); }, "DTypeError", refused},
      {[&] { exp(w); }, "DTypeError", "exp: needs f32 or f64, got bf16 (convert with to(x, DType::f32))"},
      {[&] { linear(ones({2}, DType::f64), w); }, "DTypeError",
       "linear: f64 (2) and bf16 (3, 2) do not mix (convert one of them with to(x, DType::f64))"},
      {[&] {
         matmul(w, ones({2, 2}));
       },
       "DTypeError", "matmul: bf16 (3, 2) and f32 (2, 2) do not mix (convert one of them with to(x, DType::bf16))"},
  });
}

}  // namespace regard

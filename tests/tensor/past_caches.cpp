// Large results are written to memory in another way than small ones: past the caches.
#include "tensor/loops/past_caches.h"
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/fused/layer_norm.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/random/random.h"
#include "tensor/view.h"
#include "tests/catch.h"
#include "tests/tensor/threads.h"

#include <array>
#include <utility>
#include <vector>

namespace regard {

TEST_CASE("past the caches: a large sum is the sums of its parts, up to the last element") {
  constexpr std::int64_t count = loops::large_result / 4 + 37, part = 1 << 20;
  Generator generator(1);
  const Tensor x = uniform({count}, generator), y = uniform({count}, generator);
  for (const int threads : {1, 2, 3}) {
    const Threads some(threads);
    const Tensor z = add(x, y);
    for (std::int64_t first = 0; first < count; first += part) {
      const std::int64_t last = std::min(count, first + part);
      REQUIRE(identical(slice(z, 0, first, last), add(slice(x, 0, first, last), slice(y, 0, first, last))));
    }
  }
}

TEST_CASE("past the caches: operands that are transposed or repeated") {
  Generator generator(2);
  const std::int64_t rows = 2 * 1688, columns = 5008;  // no whole number of tiles either way, but whole cache lines
  const Tensor x = uniform({rows, columns}, generator), y = uniform({columns, rows}, generator);
  const Tensor odd = uniform({columns + 3, rows + 1}, generator);
  const std::vector<std::pair<Tensor, Tensor>> operands{
      {x, transpose(y)},
      {transpose(y), select(x, 0, 3)},
      {x, unsqueeze(select(y, 0, 3), 1)},
      {permute(reshape(x, {rows, 2, columns / 2}), {2, 1, 0}), reshape(y, {columns / 2, 2, rows})},
      {transpose(odd), transpose(odd)},  // its rows do not begin on cache lines
  };
  for (const int threads : {1, 2})
    for (const auto& [a, b] : operands) {
      CAPTURE(threads, a.shape());
      const Threads some(threads);
      const Tensor z = add(a, b);
      REQUIRE(z.numel() >= loops::large_result / 4);
      const std::int64_t part = 173;
      const bool repeats = b.rank() < a.rank();
      for (std::int64_t first = 0; first < z.size(0); first += part) {
        const std::int64_t last = std::min(z.size(0), first + part);
        REQUIRE(
            identical(slice(z, 0, first, last), add(slice(a, 0, first, last), repeats ? b : slice(b, 0, first, last))));
      }
    }
}

TEST_CASE("past the caches: every second number") {
  constexpr std::int64_t count = loops::large_result / 4 + 37;
  Generator generator(3);
  const Tensor all = uniform({2 * count}, generator), sums = add(slice(all, 0, 0, to_end, 2), 1);
  const float *x = all.data<float>(), *z = sums.data<float>();
  std::int64_t right = 0;
  for (std::int64_t i = 0; i < count; ++i) right += z[i] == x[2 * i] + 1;
  CHECK(right == count);
}

TEST_CASE("past the caches: rows that are normalised") {
  // Rows of one piece and of several with a rest; and rows that do not begin on cache lines.
  struct Case {
    std::int64_t length;
    DType dtype;
  };
  for (const auto& [length, dtype] :
       {Case{48, DType::f32}, Case{1200, DType::f32}, Case{1201, DType::f32}, Case{1200, DType::f64}}) {
    CAPTURE(length, dtype);
    const std::int64_t bytes = length * static_cast<std::int64_t>(size_of(dtype));
    const std::int64_t count = loops::large_result / bytes + 3, part = count / 5 + 1;
    Generator generator(4);
    const Tensor x = uniform({count, length}, generator, 0, 1, dtype),
                 weight = uniform({length}, generator, 0, 1, dtype), bias = uniform({length}, generator, 0, 1, dtype);
    for (const int threads : {1, 2}) {
      const Threads some(threads);
      const Tensor y = layer_norm(x, weight, bias, 1e-5).y;
      for (std::int64_t first = 0; first < count; first += part) {
        const std::int64_t last = std::min(count, first + part);
        REQUIRE(identical(slice(y, 0, first, last), layer_norm(slice(x, 0, first, last), weight, bias, 1e-5).y));
      }
    }
  }
}

TEST_CASE("past the caches: numbers of eight bytes") {
  constexpr std::int64_t count = loops::large_result / 8 + 5;
  CHECK(identical(add(arange(count), 3), arange(3, count + 3, 1, DType::i64)));

  const std::int64_t side = 2904;  // more than the square root of the count; 2904·8 bytes are whole cache lines
  const Tensor x = reshape(arange(side * side), {side, side}), z = add(transpose(x), 1);
  const std::int64_t *from = x.data<std::int64_t>(), *to = z.data<std::int64_t>();
  std::int64_t right = 0;
  for (std::int64_t i = 0; i < side; ++i)
    for (std::int64_t j = 0; j < side; ++j) right += to[i * side + j] == from[j * side + i] + 1;
  CHECK(right == side * side);
}

TEST_CASE("past the caches: copies of any length") {
  alignas(64) std::array<std::byte, 512> from;
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i % 251);
  for (const std::size_t offset : {0, 64})
    for (const std::size_t bytes : {0, 1, 15, 16, 17, 63, 64, 65, 200, 511}) {
      CAPTURE(offset, bytes);
      alignas(64) std::array<std::byte, 640> to{};
      loops::copy_past_caches(to.data() + offset, from.data(), static_cast<std::int64_t>(bytes));
      loops::finish_copies();
      bool copied = true;
      for (std::size_t i = 0; i < bytes; ++i) copied &= to[offset + i] == from[i];
      CHECK(copied);
      CHECK(to[offset + bytes] == std::byte{0});  // and nothing behind
    }
}

}  // namespace regard

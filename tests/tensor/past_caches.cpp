// Large results are written to memory in another way than small ones: past the caches.
#include "tensor/kernels/past_caches.h"
#include "tensor/arithmetic.h"
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/random.h"
#include "tensor/view.h"
#include "tests/catch.h"
#include "tests/tensor/threads.h"

#include <array>

namespace regard {

TEST_CASE("past the caches: a large sum is the sums of its parts, up to the last element") {
  constexpr std::int64_t count = kernels::large_result / 4 + 37, part = 1 << 20;
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

TEST_CASE("past the caches: numbers of eight bytes") {
  constexpr std::int64_t count = kernels::large_result / 8 + 5;
  CHECK(identical(add(arange(count), 3), arange(3, count + 3, 1, DType::i64)));
}

TEST_CASE("past the caches: copies of any length") {
  alignas(64) std::array<std::byte, 512> from;
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i % 251);
  for (const std::size_t offset : {0, 64})
    for (const std::size_t bytes : {0, 1, 15, 16, 17, 63, 64, 65, 200, 511}) {
      CAPTURE(offset, bytes);
      alignas(64) std::array<std::byte, 640> to{};
      kernels::copy_past_caches(to.data() + offset, from.data(), static_cast<std::int64_t>(bytes));
      kernels::finish_copies();
      bool copied = true;
      for (std::size_t i = 0; i < bytes; ++i) copied &= to[offset + i] == from[i];
      CHECK(copied);
      CHECK(to[offset + bytes] == std::byte{0});  // and nothing behind
    }
}

}  // namespace regard

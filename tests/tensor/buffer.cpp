// Memory: recycled, aligned, bounded, and all of it given back.
#include "tensor/memory/buffer.h"

#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/view.h"
#include "tests/catch.h"

#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace regard {

namespace {

constexpr std::size_t mebibyte = 1 << 20;

// A cache that is empty and has a known bound, whatever ran before; what was there comes back afterwards.
class CacheLimit {
 public:
  explicit CacheLimit(std::size_t bytes) : before_(buffer_statistics().limit_bytes) {
    release_cached_buffers();
    set_buffer_cache_limit(bytes);
  }
  ~CacheLimit() { set_buffer_cache_limit(before_); }

 private:
  std::size_t before_;
};

std::uintptr_t address(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

}  // namespace

TEST_CASE("buffer: data is aligned, to pages where it is large") {
  for (std::size_t bytes :
       {0, 1, 31, 32, 33, 100, 511, 512, 1000, 4096, 65535, 65536, 65537, 1000000, 4194304, 9000000}) {
    CAPTURE(bytes);
    const TensorBuffer buffer(bytes);
    std::memset(buffer.data(), 1, bytes);  // all of it can be written, which a sanitizer watches
    CHECK(address(buffer.data()) % 16 == 0);
    if (bytes >= 512) CHECK(address(buffer.data()) % 64 == 0);
    if (bytes >= 65536) CHECK(address(buffer.data()) % 4096 == 0);
  }
}

TEST_CASE("buffer: a freed block is handed out again for a size like its own") {
  const CacheLimit limit(mebibyte);
  const void* first = nullptr;
  {
    const TensorBuffer buffer(1000);
    first = buffer.data();
  }
  CHECK(TensorBuffer(1000).data() == first);
  CHECK(TensorBuffer(1001).data() == first);
  CHECK(TensorBuffer(2000).data() != first);
}

TEST_CASE("buffer: copies share, and the last one frees") {
  const auto before = buffer_statistics().live_blocks;
  TensorBuffer a(100);
  TensorBuffer b = a, c;
  CHECK(b.shares_with(a));
  CHECK(buffer_statistics().live_blocks == before + 1);
  c = std::move(a);
  CHECK_FALSE(a);  // NOLINT: moved from, and so empty
  b = TensorBuffer();
  CHECK(buffer_statistics().live_blocks == before + 1);
  const TensorBuffer& same = c;
  c = same;
  CHECK(c);
  c = TensorBuffer();
  CHECK(buffer_statistics().live_blocks == before);
}

TEST_CASE("buffer: statistics count what lives and what waits") {
  const CacheLimit limit(mebibyte);
  const auto before = buffer_statistics();
  CHECK(before.cached_bytes == 0);
  CHECK(before.limit_bytes == mebibyte);
  {
    const TensorBuffer a(1024), b(4096);
    const auto during = buffer_statistics();
    CHECK(during.live_bytes == before.live_bytes + 1024 + 4096);
    CHECK(during.live_blocks == before.live_blocks + 2);
    CHECK(during.cached_bytes == 0);
  }
  const auto after = buffer_statistics();
  CHECK(after.live_bytes == before.live_bytes);
  CHECK(after.live_blocks == before.live_blocks);
  CHECK(after.cached_bytes == 1024 + 4096);
  release_cached_buffers();
  CHECK(buffer_statistics().cached_bytes == 0);
}

TEST_CASE("buffer: the peak is the most that was in use at once, since it was last reset") {
  const CacheLimit limit(mebibyte);
  const TensorBuffer kept(2048);  // in use from before: a part of the peak
  const auto before = buffer_statistics().live_bytes;
  const auto peak = [&] { return buffer_statistics().peak_bytes - before; };
  reset_peak_buffer_bytes();
  CHECK(peak() == 0);
  { const TensorBuffer a(4096), b(8192); }
  { const TensorBuffer a(10240); }  // less than both before
  CHECK(peak() == 4096 + 8192);
  const TensorBuffer a(4096), b(8192), c(65536);  // two of them from what waits
  CHECK(peak() == 4096 + 8192 + 65536);
  reset_peak_buffer_bytes();
  CHECK(peak() == 4096 + 8192 + 65536);
}

TEST_CASE("buffer: sizes are rounded up by a quarter at the most") {
  const CacheLimit limit(mebibyte);
  const auto before = buffer_statistics().live_bytes;
  for (std::size_t bytes = 32; bytes < 20000; bytes += 7) {
    const TensorBuffer buffer(bytes);
    const auto taken = buffer_statistics().live_bytes - before;
    if (taken >= bytes && 4 * taken <= 5 * bytes + 4) continue;
    CAPTURE(bytes, taken);
    CHECK(taken >= bytes);
    CHECK(4 * taken <= 5 * bytes + 4);
  }
}

TEST_CASE("buffer: the cache keeps to its bound") {
  const CacheLimit limit(10 * 4096);
  {
    std::vector<TensorBuffer> buffers;
    for (int i = 0; i < 50; ++i) buffers.emplace_back(4096);
  }
  CHECK(buffer_statistics().cached_bytes == 6 * 4096);  // every eleventh was one too many, and emptied it
  { const TensorBuffer too_large(mebibyte); }
  CHECK(buffer_statistics().cached_bytes == 0);
  set_buffer_cache_limit(4096);  // less than waits there now
  CHECK(buffer_statistics().cached_bytes <= 4096);
  set_buffer_cache_limit(0);
  { const TensorBuffer buffer(64); }
  CHECK(buffer_statistics().cached_bytes == 0);
}

TEST_CASE("buffer: a full cache lets go of all that waits, and goes on with what comes then") {
  const CacheLimit limit(10 * 4096);
  const auto cached = [] { return buffer_statistics().cached_bytes; };
  {
    std::vector<TensorBuffer> earlier;
    for (int i = 0; i < 10; ++i) earlier.emplace_back(4096);
  }
  CHECK(cached() == 10 * 4096);
  { const TensorBuffer other(8192); }  // one too many
  CHECK(cached() == 0);
  { const TensorBuffer other(8192); }
  CHECK(cached() == 8192);
}

TEST_CASE("buffer: what one thread takes, another may give back", "[threads]") {
  const auto before = buffer_statistics();
  for (std::size_t bytes : {64, 1024, 4096, 100000}) {
    std::vector<TensorBuffer> buffers;
    std::thread([&] {
      for (int i = 0; i < 100; ++i) buffers.emplace_back(bytes);
    }).join();
    CHECK(buffer_statistics().live_blocks == before.live_blocks + 100);
    std::thread([&] { buffers.clear(); }).join();
    CHECK(buffer_statistics().live_blocks == before.live_blocks);
    CHECK(buffer_statistics().live_bytes == before.live_bytes);
  }
}

TEST_CASE("buffer: many threads at once, each with its own contents", "[threads]") {
  const auto before = buffer_statistics().live_blocks;
  std::vector<std::thread> threads;
  std::vector<int> spoilt(4, 0);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t, &spoilt] {
      std::vector<TensorBuffer> buffers;
      for (int i = 0; i < 500; ++i) {
        buffers.emplace_back(64 << i % 6);
        std::memset(buffers.back().data(), t, 64);
        if (i % 3 == 2) buffers.erase(buffers.begin());
      }
      for (const TensorBuffer& buffer : buffers)
        spoilt[static_cast<std::size_t>(t)] += *static_cast<char*>(buffer.data()) != t;
    });
  for (auto& thread : threads) thread.join();
  CHECK(spoilt == std::vector<int>(4, 0));
  CHECK(buffer_statistics().live_blocks == before);
}

TEST_CASE("buffer: a buffer may live until its thread has ended", "[threads]") {
  const auto before = buffer_statistics().live_blocks;
  std::thread([] {
    thread_local TensorBuffer last;
    TensorBuffer& reference =
        last;  // made before any memory is taken, so destroyed after everything that had to do with it
    reference = TensorBuffer(64);
  }).join();
  CHECK(buffer_statistics().live_blocks == before);
}

TEST_CASE("buffer: computing leaves nothing behind, even where it fails") {
  const auto before = buffer_statistics();
  {
    Tensor x = ones({100, 100});
    for (int i = 0; i < 10; ++i) x = transpose(x) * 2 + x;
    CHECK_THROWS_AS(x + ones({3}), ShapeError);
  }
  CHECK(buffer_statistics().live_blocks == before.live_blocks);
  CHECK(buffer_statistics().live_bytes == before.live_bytes);
}

TEST_CASE("buffer: a view keeps the elements alive") {
  Tensor row;
  {
    const Tensor x = ones({50, 50}) * 3;
    row = select(x, 0, 49);
  }
  const Tensor other = zeros({50, 50});  // would take the memory over, had it been freed
  CHECK(to_vector(row) == std::vector<double>(50, 3));
}

TEST_CASE("buffer: shared pointers and containers can live in recycled memory") {
  const auto before = buffer_statistics().live_blocks;
  {
    const auto number = std::allocate_shared<double>(RecyclingAllocator<double>(), 2.5);
    std::vector<int, RecyclingAllocator<int>> numbers;
    for (int i = 0; i < 100; ++i) numbers.push_back(i);
    CHECK(*number == 2.5);
    CHECK(numbers[99] == 99);
    CHECK(buffer_statistics().live_blocks == before + 2);
  }
  CHECK(buffer_statistics().live_blocks == before);
}

TEST_CASE("buffer: lowering the limit gives back what waits, large and small") {
  const CacheLimit limit(mebibyte);
  { const Tensor large = zeros({1000}); }
  { const Tensor small = zeros({2}); }
  set_buffer_cache_limit(0);
  CHECK(buffer_statistics().cached_bytes == 0);
}

}  // namespace regard

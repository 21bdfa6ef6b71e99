#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace regard {

inline constexpr std::size_t cache_line_bytes = 64, page_bytes = 4096;

// Sizes are rounded up to four steps an octave (32, 40, 48, 56, 64, 80, …): at most a quarter is wasted, and a block
// that is freed fits the next request of about its size.
struct SizeClass {
  static constexpr std::size_t count = 4 * 64;
  std::size_t index = 0;
  std::size_t bytes = 0;
};

SizeClass size_class(std::size_t bytes);

// A piece of memory from the system: these 32 bytes of bookkeeping, and right behind them `size.bytes` to use. Those
// begin on a multiple of 16 bytes, from 512 bytes on of 64 (a cache line), from 64 KiB on of 4096 (a page). README.md
// says why. (32 bytes also where pointers have 4, since memory that follows must be aligned for a register.)
struct alignas(16) MemoryBlock {
  static MemoryBlock* of(void* memory) { return static_cast<MemoryBlock*>(memory) - 1; }
  void* memory() { return this + 1; }

  SizeClass size;
  MemoryBlock* next_free = nullptr;
  std::atomic<std::int64_t> owners{0};  // for TensorBuffer
};

MemoryBlock* allocate_block(SizeClass size);
void deallocate_block(MemoryBlock* block);

}  // namespace regard

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace regard {

// A reference-counted block of memory. Freed blocks are kept and handed out again, because touching fresh pages
// costs ten times what streaming through pages already mapped does.
//
// The bookkeeping stands in the 64 bytes before the data. Data is aligned to 64 bytes, and large blocks to 4096.
struct Block {
  std::atomic<std::int64_t> owners{1};
  std::size_t capacity = 0;  // bytes of data, after rounding up to a size class
  Block* next_free = nullptr;
};

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t bytes);  // contents are undefined
  Buffer(const Buffer& other) : block_(other.block_) {
    if (block_) block_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  Buffer(Buffer&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Buffer& operator=(Buffer other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Buffer() {
    if (block_ && block_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) recycle(block_);
  }

  explicit operator bool() const { return block_ != nullptr; }
  void* data() const { return reinterpret_cast<std::byte*>(block_) + header_bytes; }
  bool shares_with(const Buffer& other) const { return block_ == other.block_; }
  bool is_shared() const { return block_->owners.load(std::memory_order_acquire) > 1; }

  static constexpr std::size_t header_bytes = 64;

 private:
  static void recycle(Block* block);
  Block* block_ = nullptr;
};

struct BufferStatistics {
  std::size_t live_bytes = 0;    // in use by tensors
  std::size_t live_blocks = 0;   //
  std::size_t cached_bytes = 0;  // freed, waiting to be used again
  std::size_t limit_bytes = 0;   // the cache never holds more than this
};

BufferStatistics buffer_statistics();
void release_cached_buffers();                   // gives all waiting blocks back to the system
void set_buffer_cache_limit(std::size_t bytes);  // 0 switches recycling off

}  // namespace regard

#pragma once

#include "tensor/memory/block.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace regard {

// Memory that is kept when it is freed, and handed out again: to ask the system each time would cost more than to
// compute (README.md).
void* take_memory(std::size_t bytes);
void give_memory(void* memory);  // what take_memory returned

// A reference-counted piece of that memory.
class TensorBuffer {
 public:
  TensorBuffer() = default;
  explicit TensorBuffer(std::size_t bytes) : memory_(take_memory(bytes)) {
    owners().store(1, std::memory_order_relaxed);
  }
  TensorBuffer(const TensorBuffer& other) : memory_(other.memory_) {
    if (memory_) owners().fetch_add(1, std::memory_order_relaxed);
  }
  TensorBuffer(TensorBuffer&& other) noexcept : memory_(std::exchange(other.memory_, nullptr)) {}
  TensorBuffer& operator=(TensorBuffer other) noexcept {
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~TensorBuffer() {
    if (memory_ && is_last_owner()) give_memory(memory_);
  }

  explicit operator bool() const { return memory_ != nullptr; }
  void* data() const { return memory_; }
  bool is_unique() const { return memory_ && owners().load(std::memory_order_acquire) == 1; }
  bool shares_with(const TensorBuffer& other) const { return memory_ == other.memory_; }

 private:
  // Nobody becomes an owner but by copying from one: so a single owner stays single, and need not count down.
  bool is_last_owner() const {
    return owners().load(std::memory_order_acquire) == 1 || owners().fetch_sub(1, std::memory_order_acq_rel) == 1;
  }

  std::atomic<std::int64_t>& owners() const { return MemoryBlock::of(memory_)->owners; }
  void* memory_ = nullptr;
};

// For containers and shared pointers of small objects that come and go, such as the nodes of a graph.
template <class T>
struct RecyclingAllocator {
  using value_type = T;
  RecyclingAllocator() = default;
  template <class Other>
  RecyclingAllocator(const RecyclingAllocator<Other>&) {}  // NOLINT: allocators convert into each other
  T* allocate(std::size_t count) {
    static_assert(alignof(T) <= alignof(std::max_align_t));
    if (count > PTRDIFF_MAX / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(take_memory(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t) { give_memory(memory); }
  friend bool operator==(const RecyclingAllocator&, const RecyclingAllocator&) { return true; }
};

struct BufferStatistics {
  std::size_t live_bytes = 0;    // in use
  std::size_t live_blocks = 0;   // in so many pieces
  std::size_t cached_bytes = 0;  // freed, waiting to be used again
  std::size_t limit_bytes = 0;   // the common cache never holds more than this: a quarter of the machine's, or as set
  std::size_t peak_bytes = 0;    // the most that was in use at once since reset_peak_buffer_bytes(), or ever
};

// Each thread keeps up to 256 KiB of small pieces to itself; what other threads keep counts as live until they end.
BufferStatistics buffer_statistics();
void reset_peak_buffer_bytes();                  // to what is in use now
void release_cached_buffers();                   // gives all waiting blocks back to the system
void set_buffer_cache_limit(std::size_t bytes);  // 0 switches recycling off

}  // namespace regard

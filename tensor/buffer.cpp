#include "tensor/buffer.h"

#include <array>
#include <bit>
#include <mutex>
#include <new>
#include <utility>

namespace regard {
namespace {

static_assert(sizeof(Block) <= Block::bytes);

constexpr std::size_t smallest = 32;
constexpr std::size_t cache_line = 64;
constexpr std::size_t medium = 8 * cache_line;  // from here on data starts on a cache line
constexpr std::size_t page = 4096;
constexpr std::size_t large = 16 * page;  // from here on data starts on a page
constexpr std::size_t default_limit = std::size_t{1} << 30;

// Sizes are rounded up to four steps an octave (32, 40, 48, 56, 64, 80, …): at most a quarter is wasted, and a
// block that is freed fits the next request of about its size.
struct SizeClass {
  std::size_t index;
  std::size_t bytes;
};

SizeClass size_class(std::size_t bytes) {
  if (bytes <= smallest) return {0, smallest};
  const int octave = std::bit_width(bytes - 1) - 1;  // 2^octave < bytes ≤ 2^(octave + 1)
  const std::size_t step = std::size_t{1} << (octave - 2);
  const std::size_t steps = (bytes - 1 - (std::size_t{1} << octave)) / step + 1;  // 1 … 4
  return {static_cast<std::size_t>(octave - 5) * 4 + steps, (std::size_t{1} << octave) + steps * step};
}

std::size_t alignment_of(std::size_t capacity) {
  return capacity >= large ? page : capacity >= medium ? cache_line : Block::bytes;
}

// The header takes one unit of alignment, so that the memory behind it is aligned too.
Block* allocate(std::size_t capacity) {
  const std::size_t alignment = alignment_of(capacity);
  auto* base = static_cast<std::byte*>(::operator new(alignment + capacity, std::align_val_t{alignment}));
  auto* block = new (base + alignment - Block::bytes) Block;
  block->capacity = capacity;
  return block;
}

void deallocate(Block* block) {
  const std::size_t alignment = alignment_of(block->capacity);
  auto* base = static_cast<std::byte*>(block->memory()) - alignment;
  block->~Block();
  ::operator delete(base, std::align_val_t{alignment});
}

class Recycler {
 public:
  Block* take(std::size_t bytes) {
    const SizeClass size = size_class(bytes);
    {
      std::lock_guard lock(mutex_);
      statistics_.live_bytes += size.bytes;
      ++statistics_.live_blocks;
      if (Block* block = free_[size.index]) {
        free_[size.index] = block->next_free;
        statistics_.cached_bytes -= size.bytes;
        return block;
      }
    }
    return allocate_or_undo(size.bytes);
  }

  void give(Block* block) {
    const SizeClass size = size_class(block->capacity);
    {
      std::lock_guard lock(mutex_);
      statistics_.live_bytes -= size.bytes;
      --statistics_.live_blocks;
      if (statistics_.cached_bytes + size.bytes <= statistics_.limit_bytes) {
        block->next_free = free_[size.index];
        free_[size.index] = block;
        statistics_.cached_bytes += size.bytes;
        return;
      }
    }
    deallocate(block);
  }

  void release_all() {
    std::lock_guard lock(mutex_);
    for (Block*& head : free_) {
      while (head) deallocate(std::exchange(head, head->next_free));
    }
    statistics_.cached_bytes = 0;
  }

  void set_limit(std::size_t bytes) {
    {
      std::lock_guard lock(mutex_);
      statistics_.limit_bytes = bytes;
      if (statistics_.cached_bytes <= bytes) return;
    }
    release_all();
  }

  BufferStatistics statistics() {
    std::lock_guard lock(mutex_);
    return statistics_;
  }

 private:
  // Out of memory: the blocks that wait may be what is missing.
  Block* allocate_or_undo(std::size_t capacity) {
    try {
      return allocate(capacity);
    } catch (const std::bad_alloc&) {
      release_all();
    }
    try {
      return allocate(capacity);
    } catch (const std::bad_alloc&) {
      std::lock_guard lock(mutex_);
      statistics_.live_bytes -= capacity;
      --statistics_.live_blocks;
      throw;
    }
  }

  std::mutex mutex_;
  std::array<Block*, 4 * 64> free_{};
#ifdef REGARD_SANITIZED
  BufferStatistics statistics_{.limit_bytes = 0};  // a recycled block would hide a use after free from the sanitizer
#else
  BufferStatistics statistics_{.limit_bytes = default_limit};
#endif
};

// Never destroyed: tensors with static storage may be freed after any static here would be gone.
Recycler& recycler() {
  static Recycler* instance = new Recycler;
  return *instance;
}

}  // namespace

void* take_memory(std::size_t bytes) { return recycler().take(bytes)->memory(); }

void give_memory(void* memory) { recycler().give(Block::of(memory)); }

BufferStatistics buffer_statistics() { return recycler().statistics(); }

void release_cached_buffers() { recycler().release_all(); }

void set_buffer_cache_limit(std::size_t bytes) { recycler().set_limit(bytes); }

}  // namespace regard

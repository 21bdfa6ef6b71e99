#include "tensor/buffer.h"

#include <algorithm>
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

// Sizes are rounded up to four steps an octave (32, 40, 48, 56, 64, 80, …): at most a quarter is wasted, and a
// block that is freed fits the next request of about its size.
struct SizeClass {
  std::size_t index;
  std::size_t bytes;
};

SizeClass size_class(std::size_t bytes) {
  if (bytes <= smallest) return {0, smallest};
  if (bytes > PTRDIFF_MAX / 2) throw std::bad_alloc();
  const int octave = std::bit_width(bytes - 1) - 1;  // 2^octave < bytes ≤ 2^(octave + 1)
  const std::size_t step = std::size_t{1} << (octave - 2);
  const std::size_t steps = (bytes - 1 - (std::size_t{1} << octave)) / step + 1;  // 1 … 4
  return {static_cast<std::size_t>(octave - 5) * 4 + steps, (std::size_t{1} << octave) + steps * step};
}

std::size_t alignment_of(std::size_t capacity) {
  return capacity >= large ? page : capacity >= medium ? cache_line : alignof(std::max_align_t);
}

// The header stands at the end of what alignment leaves in front of the memory.
std::size_t lead_of(std::size_t capacity) { return std::max(alignment_of(capacity), Block::bytes); }

Block* allocate(std::size_t capacity) {
  const std::size_t lead = lead_of(capacity);
  auto* base = static_cast<std::byte*>(::operator new (lead + capacity, std::align_val_t{alignment_of(capacity)}));
  auto* block = new (base + lead - Block::bytes) Block;
  block->capacity = capacity;
  return block;
}

void deallocate(Block* block) {
  const std::size_t capacity = block->capacity;
  auto* base = static_cast<std::byte*>(block->memory()) - lead_of(capacity);
  block->~Block();
  ::operator delete (base, std::align_val_t{alignment_of(capacity)});
}

#ifdef REGARD_SANITIZED
constexpr std::size_t initial_limit = 0;  // a recycled block would hide a use after free from the sanitizer
#else
constexpr std::size_t initial_limit = std::size_t{1} << 30;
#endif

// Blocks that wait, by size class. Each list is last in, first out: what was freed last is still in the cache.
struct FreeLists {
  std::array<Block*, 4 * 64> heads{};
  std::size_t bytes = 0, count = 0;

  Block* take(SizeClass size) {
    Block* block = heads[size.index];
    if (!block) return nullptr;
    heads[size.index] = block->next_free;
    bytes -= size.bytes;
    --count;
    return block;
  }

  void give(SizeClass size, Block* block) {
    block->next_free = heads[size.index];
    heads[size.index] = block;
    bytes += size.bytes;
    ++count;
  }

  // Empties the lists into visit(block).
  template <class Visit>
  void drain(Visit visit) {
    for (Block*& head : heads)
      while (head) visit(std::exchange(head, head->next_free));
    bytes = count = 0;
  }
};

// All threads share one set of lists behind a lock, and each thread has a few small blocks of its own in front of it: a
// graph takes and gives a dozen pieces for every operation, and a lock for each would cost as much as the operation.
class Recycler {
 public:
  Block* take(SizeClass size) {
    {
      std::lock_guard lock(mutex_);
      if (Block* block = lists_.take(size)) return block;
      allocated_bytes_ += size.bytes;
      ++allocated_blocks_;
    }
    return allocate_or_undo(size.bytes);
  }

  void give(SizeClass size, Block* block) {
    {
      std::lock_guard lock(mutex_);
      if (lists_.bytes + size.bytes <= limit()) return lists_.give(size, block);
      allocated_bytes_ -= size.bytes;
      --allocated_blocks_;
    }
    deallocate(block);
  }

  void release_all() {
    std::lock_guard lock(mutex_);
    allocated_bytes_ -= lists_.bytes;
    allocated_blocks_ -= lists_.count;
    lists_.drain(deallocate);
  }

  std::size_t limit() const { return limit_.load(std::memory_order_relaxed); }
  void set_limit(std::size_t bytes) { limit_.store(bytes, std::memory_order_relaxed); }

  BufferStatistics statistics() {
    std::lock_guard lock(mutex_);
    return {allocated_bytes_ - lists_.bytes, allocated_blocks_ - lists_.count, lists_.bytes, limit()};
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
      allocated_bytes_ -= capacity;
      --allocated_blocks_;
      throw;
    }
  }

  std::mutex mutex_;
  FreeLists lists_;
  std::size_t allocated_bytes_ = 0, allocated_blocks_ = 0;  // live or waiting in lists_
  std::atomic<std::size_t> limit_{initial_limit};
};

// Never destroyed: tensors with static storage may be freed after any static here would be gone.
Recycler& recycler() {
  static Recycler* instance = new Recycler;
  return *instance;
}

// The blocks in front of the lock.
class ThreadCache {
 public:
  static constexpr std::size_t largest = 1024;      // a block
  static constexpr std::size_t capacity = 1 << 18;  // all of them

  ~ThreadCache() {
    flush();
    is_gone = true;
  }

  Block* take(SizeClass size) { return lists_.take(size); }

  bool give(SizeClass size, Block* block) {
    if (lists_.bytes + size.bytes > std::min(capacity, recycler().limit())) return false;
    lists_.give(size, block);
    return true;
  }

  void flush() {
    lists_.drain([](Block* block) { recycler().give(size_class(block->capacity), block); });
  }

  // Null for large blocks, and while a thread ends: objects that outlive its cache may still give memory back.
  static ThreadCache* for_size(std::size_t bytes) {
    if (bytes > largest || is_gone) return nullptr;
    thread_local ThreadCache cache;
    return &cache;
  }

 private:
  static inline thread_local bool is_gone = false;
  FreeLists lists_;
};

void flush_this_thread() {
  if (ThreadCache* cache = ThreadCache::for_size(0)) cache->flush();
}

}  // namespace

void* take_memory(std::size_t bytes) {
  const SizeClass size = size_class(bytes);
  ThreadCache* cache = ThreadCache::for_size(size.bytes);
  Block* block = cache ? cache->take(size) : nullptr;
  return (block ? block : recycler().take(size))->memory();
}

void give_memory(void* memory) {
  Block* block = Block::of(memory);
  const SizeClass size = size_class(block->capacity);
  ThreadCache* cache = ThreadCache::for_size(size.bytes);
  if (!cache || !cache->give(size, block)) recycler().give(size, block);
}

BufferStatistics buffer_statistics() {
  flush_this_thread();
  return recycler().statistics();
}

void release_cached_buffers() {
  flush_this_thread();
  recycler().release_all();
}

void set_buffer_cache_limit(std::size_t bytes) {
  recycler().set_limit(bytes);
  if (buffer_statistics().cached_bytes > bytes) release_cached_buffers();
}

}  // namespace regard

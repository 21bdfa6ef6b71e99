#include "tensor/memory/buffer.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <mutex>

namespace regard {
namespace {

#ifdef REGARD_SANITIZED
constexpr bool recycles = false;  // a recycled block would hide a use after free from the sanitizer
#else
constexpr bool recycles = true;
#endif

constexpr std::size_t most_in_thread_cache = 1 << 18;

// Free blocks may take up a quarter of the machine's memory.
std::size_t initial_limit() {
  const auto pages = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES));
  return recycles ? pages / 4 * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

// Blocks that wait, by size class. Each list is last in, first out: what was freed last is still in the cache.
struct FreeLists {
  std::array<MemoryBlock*, SizeClass::count> heads{};
  std::size_t bytes = 0, count = 0;

  MemoryBlock* take(SizeClass size) {
    MemoryBlock* block = heads[size.index];
    if (!block) return nullptr;
    heads[size.index] = block->next_free;
    bytes -= size.bytes;
    --count;
    return block;
  }

  void give(MemoryBlock* block) {
    block->next_free = std::exchange(heads[block->size.index], block);
    bytes += block->size.bytes;
    ++count;
  }

  // Empties the lists into visit(block).
  template <class Visit>
  void drain(Visit visit) {
    for (MemoryBlock*& head : heads)
      while (head) visit(std::exchange(head, head->next_free));
    bytes = count = 0;
  }
};

// The free blocks that all threads share, behind a lock. (Each thread has a few small ones of its own: ThreadCache.)
class Recycler {
 public:
  MemoryBlock* take(SizeClass size) {
    {
      std::lock_guard lock(mutex_);
      if (MemoryBlock* block = lists_.take(size)) return block;
    }
    MemoryBlock* block = allocate(size);
    std::lock_guard lock(mutex_);
    allocated_bytes_ += size.bytes;
    ++allocated_blocks_;
    return block;
  }

  void give(MemoryBlock* block) {
    std::lock_guard lock(mutex_);
    note_peak();
    lists_.give(block);
    if (lists_.bytes > limit()) release_waiting();  // a program that went on to other sizes needs none of these
  }

  void release_all() {
    std::lock_guard lock(mutex_);
    release_waiting();
  }

  std::size_t limit() const { return limit_.load(std::memory_order_relaxed); }
  void set_limit(std::size_t bytes) { limit_.store(bytes, std::memory_order_relaxed); }

  BufferStatistics statistics() {
    std::lock_guard lock(mutex_);
    note_peak();
    return {live_bytes(), allocated_blocks_ - lists_.count, lists_.bytes, limit(), peak_bytes_};
  }

  void reset_peak() {
    std::lock_guard lock(mutex_);
    peak_bytes_ = live_bytes();
  }

 private:
  std::size_t live_bytes() const { return allocated_bytes_ - lists_.bytes; }

  // What is in use falls only when a block is given back. So its peaks are just before that, or now.
  void note_peak() { peak_bytes_ = std::max(peak_bytes_, live_bytes()); }

  void release_waiting() {
    allocated_bytes_ -= lists_.bytes;
    allocated_blocks_ -= lists_.count;
    lists_.drain(deallocate_block);
  }

  // If the system has no memory left, the free blocks are given back to it, and it is asked once more.
  MemoryBlock* allocate(SizeClass size) {
    try {
      return allocate_block(size);
    } catch (const std::bad_alloc&) {
      release_all();
      return allocate_block(size);
    }
  }

  std::mutex mutex_;
  FreeLists lists_;
  std::size_t allocated_bytes_ = 0, allocated_blocks_ = 0;  // live or waiting in lists_
  std::size_t peak_bytes_ = 0;
  std::atomic<std::size_t> limit_{initial_limit()};
};

// Never destroyed: tensors with static storage may be freed after any static here would be gone.
Recycler& recycler() {
  static Recycler* instance = new Recycler;
  return *instance;
}

// A thread's own blocks, which need no lock. It has neither a constructor nor a destructor. So whoever looks for it
// need not ask whether it has been made yet; and objects that outlive their thread find it `closed`, and not gone.
struct ThreadCache {
  static constexpr std::size_t largest = 1024;  // a block

  FreeLists lists{};
  enum { fresh, open, closed } state = fresh;

  bool give(MemoryBlock* block);
  void flush() {
    lists.drain([](MemoryBlock* waiting) { recycler().give(waiting); });
  }
};

constinit thread_local ThreadCache thread_cache;
constinit std::atomic<std::size_t> thread_cache_limit{recycles ? most_in_thread_cache : 0};

// Made when a thread first gives a block back, destroyed when the thread ends: then its blocks go to the others.
struct EndOfThread {
  EndOfThread() { thread_cache.state = ThreadCache::open; }
  ~EndOfThread() {
    thread_cache.flush();
    thread_cache.state = ThreadCache::closed;
  }
};

bool ThreadCache::give(MemoryBlock* block) {
  if (lists.bytes + block->size.bytes > thread_cache_limit.load(std::memory_order_relaxed)) return false;
  if (state == fresh) {
    static thread_local const EndOfThread end;
  }
  if (state == closed) return false;
  lists.give(block);
  return true;
}

}  // namespace

void* take_memory(std::size_t bytes) {
  const SizeClass size = size_class(bytes);
  MemoryBlock* block = size.bytes <= ThreadCache::largest ? thread_cache.lists.take(size) : nullptr;
  return (block ? block : recycler().take(size))->memory();
}

void give_memory(void* memory) {
  MemoryBlock* block = MemoryBlock::of(memory);
  if (block->size.bytes > ThreadCache::largest || !thread_cache.give(block)) recycler().give(block);
}

BufferStatistics buffer_statistics() {
  thread_cache.flush();
  return recycler().statistics();
}

void reset_peak_buffer_bytes() {
  thread_cache.flush();
  recycler().reset_peak();
}

void release_cached_buffers() {
  thread_cache.flush();
  recycler().release_all();
}

void set_buffer_cache_limit(std::size_t bytes) {
  recycler().set_limit(bytes);
  thread_cache_limit.store(std::min(bytes, most_in_thread_cache), std::memory_order_relaxed);
  if (buffer_statistics().cached_bytes > bytes) release_cached_buffers();
}

}  // namespace regard

#include "tensor/memory/block.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>

namespace regard {
namespace {

static_assert(sizeof(MemoryBlock) == 32);

constexpr std::size_t least = 32;
constexpr std::size_t medium = 8 * cache_line_bytes;  // from here on data starts on a cache line
constexpr std::size_t large = 16 * page_bytes;        // from here on data starts on a page
constexpr std::size_t huge_page = 512 * page_bytes;
constexpr std::size_t huge = 2 * huge_page;  // from here on memory comes in huge pages where the system has them

std::size_t alignment_of(std::size_t bytes) {
  return bytes >= large ? page_bytes : bytes >= medium ? cache_line_bytes : alignof(std::max_align_t);
}

// How far behind its beginning the memory of a block starts. The bookkeeping ends there.
std::size_t lead_of(std::size_t bytes) { return std::max(alignment_of(bytes), sizeof(MemoryBlock)); }

// A huge block begins with a huge page; what may be used starts one small page later.
std::align_val_t base_alignment_of(std::size_t bytes) {
  return std::align_val_t{bytes >= huge ? huge_page : alignment_of(bytes)};
}

// Pages 512 times as large are found and cleared faster.
void ask_for_huge_pages([[maybe_unused]] void* base, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  ::madvise(base, bytes, MADV_HUGEPAGE);  // a wish: nothing depends on it
#endif
}

}  // namespace

SizeClass size_class(std::size_t bytes) {
  if (bytes <= least) return {0, least};
  if (bytes > PTRDIFF_MAX / 2) throw std::bad_alloc();
  const int octave = std::bit_width(bytes - 1) - 1;  // 2^octave < bytes ≤ 2^(octave + 1)
  const std::size_t step = std::size_t{1} << (octave - 2);
  const std::size_t steps = (bytes - 1 - (std::size_t{1} << octave)) / step + 1;  // 1 … 4
  return {static_cast<std::size_t>(octave - 5) * 4 + steps, (std::size_t{1} << octave) + steps * step};
}

MemoryBlock* allocate_block(SizeClass size) {
  const std::size_t lead = lead_of(size.bytes);
  auto* base = static_cast<std::byte*>(::operator new(lead + size.bytes, base_alignment_of(size.bytes)));
  if (size.bytes >= huge) ask_for_huge_pages(base, lead + size.bytes);
  return new (base + lead - sizeof(MemoryBlock)) MemoryBlock{size};
}

void deallocate_block(MemoryBlock* block) {
  const std::size_t bytes = block->size.bytes;
  auto* base = static_cast<std::byte*>(block->memory()) - lead_of(bytes);
  block->~MemoryBlock();
  ::operator delete(base, base_alignment_of(bytes));
}

}  // namespace regard

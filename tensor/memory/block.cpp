#include "tensor/memory/block.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>

namespace regard {
namespace {

static_assert(sizeof(Block) == 32);

constexpr std::size_t least = 32;
constexpr std::size_t medium = 8 * cache_line_bytes;  // from here on data starts on a cache line
constexpr std::size_t large = 16 * page_bytes;        // from here on data starts on a page
constexpr std::size_t huge_page = 512 * page_bytes;
constexpr std::size_t huge = 2 * huge_page;  // from here on memory comes in huge pages where the system has them

std::size_t alignment_of(std::size_t bytes) {
  return bytes >= large ? page_bytes : bytes >= medium ? cache_line_bytes : alignof(std::max_align_t);
}

// The bookkeeping stands at the end of what alignment leaves in front of the memory.
std::size_t lead_of(std::size_t bytes) { return std::max(alignment_of(bytes), sizeof(Block)); }

// With huge pages the first begins with the lead, and data stands a small page behind.
std::align_val_t base_alignment_of(std::size_t bytes) {
  return std::align_val_t{bytes >= huge ? huge_page : alignment_of(bytes)};
}

// The processor remembers where some thousand pages are, and the system clears a page when it is touched first. With
// pages 512 times as large both are cheaper.
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

Block* allocate_block(SizeClass size) {
  const std::size_t lead = lead_of(size.bytes);
  auto* base = static_cast<std::byte*>(::operator new(lead + size.bytes, base_alignment_of(size.bytes)));
  if (size.bytes >= huge) ask_for_huge_pages(base, lead + size.bytes);
  return new (base + lead - sizeof(Block)) Block{size};
}

void deallocate_block(Block* block) {
  const std::size_t bytes = block->size.bytes;
  auto* base = static_cast<std::byte*>(block->memory()) - lead_of(bytes);
  block->~Block();
  ::operator delete(base, base_alignment_of(bytes));
}

}  // namespace regard

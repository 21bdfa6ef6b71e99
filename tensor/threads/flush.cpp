#include "tensor/threads/flush.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace regard {
namespace {

// The register that says how floats are computed with, and the bits of it that make results and operands 0.
#if defined(__SSE2__)
constexpr std::uint64_t flush_bits = 0x8040;
std::uint64_t control() { return _mm_getcsr(); }
void set_control(std::uint64_t bits) { _mm_setcsr(static_cast<unsigned>(bits)); }
#elif defined(__aarch64__)
constexpr std::uint64_t flush_bits = 1 << 24;
std::uint64_t control() {
  std::uint64_t bits;
  asm volatile("mrs %0, fpcr" : "=r"(bits));
  return bits;
}
void set_control(std::uint64_t bits) { asm volatile("msr fpcr, %0" : : "r"(bits)); }
#else
constexpr std::uint64_t flush_bits = 0;
std::uint64_t control() { return 0; }
void set_control(std::uint64_t) {}
#endif

}  // namespace

std::uint64_t flush_mode() { return control() & flush_bits; }
void set_flush_mode(std::uint64_t mode) {
  if (mode != flush_mode()) set_control((control() & ~flush_bits) | mode);
}

FlushSubnormals::FlushSubnormals() : before_(flush_mode()) { set_flush_mode(flush_bits); }
FlushSubnormals::~FlushSubnormals() { set_flush_mode(before_); }

}  // namespace regard

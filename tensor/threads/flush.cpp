#include "tensor/threads/flush.h"

#include <cstdint>

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

bool flushes_subnormals() { return (control() & flush_bits) != 0; }

void flush_subnormals(bool on) {
  if (on != flushes_subnormals()) set_control(on ? control() | flush_bits : control() & ~flush_bits);
}

FlushSubnormals::FlushSubnormals() : before_(flushes_subnormals()) { flush_subnormals(true); }
FlushSubnormals::~FlushSubnormals() { flush_subnormals(before_); }

}  // namespace regard

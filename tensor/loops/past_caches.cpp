#include "tensor/loops/past_caches.h"

#include <cstring>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace regard::loops {

void copy_past_caches(std::byte* to, const std::byte* from, std::int64_t bytes) {
  std::int64_t done = 0;
#if defined(__AVX512F__)
  for (; done + 64 <= bytes; done += 64)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to + done), _mm512_load_si512(from + done));
#elif defined(__SSE2__)
  for (; done + 16 <= bytes; done += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + done),
                     _mm_load_si128(reinterpret_cast<const __m128i*>(from + done)));
#endif
  if (done < bytes) std::memcpy(to + done, from + done, static_cast<std::size_t>(bytes - done));
}

void finish_copies() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace regard::loops

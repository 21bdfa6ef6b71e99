// Read before score.cpp it makes a score for registers of another width than the library's: that must not link.

#if defined(__AVX512F__)
#undef __AVX512F__
#elif defined(__AVX__)
#undef __AVX__
#else
#define __AVX__ 1
#endif

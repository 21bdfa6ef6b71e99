// With j inside, rows of B and C are read from left to right, and the compiler makes vector instructions of the loop. A
// block of 128 rows of B stays in the cache while all rows of A use it.
void product(const float* a, const float* b, float* c, std::int64_t n) {
  for (std::int64_t i = 0; i < n * n; ++i) c[i] = 0;
  for (std::int64_t first = 0; first < n; first += 128)
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t k = first; k < n && k < first + 128; ++k)
        for (std::int64_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

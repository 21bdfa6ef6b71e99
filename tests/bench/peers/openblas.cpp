#include "tests/bench/peers.h"

#include <cblas.h>
#include <omp.h>

namespace regard::bench {
namespace {

void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const float* a, int lda, const float* b, int ldb,
          float* c) {
  cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, lda, b, ldb, 0, c, n);
}

void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const double* a, int lda, const double* b,
          int ldb, double* c) {
  cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, lda, b, ldb, 0, c, n);
}

// The product number i of the batch.
template <class T>
void multiply(const Product& p, std::int64_t i, const T* a, const T* b, T* c) {
  const int m = static_cast<int>(p.m), n = static_cast<int>(p.n), k = static_cast<int>(p.k);
  gemm(p.a_transposed ? CblasTrans : CblasNoTrans, p.b_transposed ? CblasTrans : CblasNoTrans, m, n, k, a + i * m * k,
       p.a_transposed ? m : k, b + i * n * k, p.b_transposed ? k : n, c + i * m * n);
}

template <class T>
Multiply<T> loop(const Product& p) {
  return [p](const T* a, const T* b, T* c) {
    for (std::int64_t i = 0; i < p.batch; ++i) multiply(p, i, a, b, c);
  };
}

template <class T>
Multiply<T> split(const Product& p) {
  if (p.batch == 1) return nullptr;
  return [p](const T* a, const T* b, T* c) {
    const int threads = openblas_get_num_threads();
    openblas_set_num_threads(1);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::int64_t i = 0; i < p.batch; ++i) multiply(p, i, a, b, c);
    openblas_set_num_threads(threads);
  };
}

}  // namespace

Peer openblas() {
  const std::string config = openblas_get_config();  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …"
  const std::string version = config.substr(0, config.find(' ', config.find(' ') + 1));
  return {"openblas", loop<float>, loop<double>, openblas_set_num_threads, version};
}

Peer openblas_split() { return {"openblas_split", split<float>, split<double>, omp_set_num_threads}; }

}  // namespace regard::bench

#include "tests/bench/peers.h"

#include <fmt/format.h>

#include <Eigen/Core>

namespace regard::bench {
namespace {

template <class T>
Multiply<T> loop(const Product& p) {
  using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Operand = Eigen::Map<const RowMajor>;
  using Result = Eigen::Map<RowMajor>;
  return [p](const T* a, const T* b, T* c) {
    for (std::int64_t i = 0; i < p.batch; ++i, a += p.m * p.k, b += p.k * p.n, c += p.m * p.n) {
      const Operand left(a, p.a_transposed ? p.k : p.m, p.a_transposed ? p.m : p.k);
      const Operand right(b, p.b_transposed ? p.n : p.k, p.b_transposed ? p.k : p.n);
      Result result(c, p.m, p.n);
      if (p.a_transposed)
        result.noalias() = left.transpose() * right;
      else if (p.b_transposed)
        result.noalias() = left * right.transpose();
      else
        result.noalias() = left * right;
    }
  };
}

}  // namespace

Peer eigen() {
  return {"eigen", loop<float>, loop<double>, Eigen::setNbThreads,
          fmt::format("Eigen {}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)};
}

}  // namespace regard::bench

#include "tests/bench/peers.h"

#include <fmt/format.h>
#include <omp.h>

#include <dnnl.hpp>
#include <unordered_map>

namespace regard::bench {
namespace {

using dnnl::memory;

memory::desc dense(std::int64_t batch, std::int64_t rows, std::int64_t columns, bool transposed) {
  return {{batch, rows, columns},
          memory::data_type::f32,
          {rows * columns, transposed ? 1 : columns, transposed ? rows : 1}};
}

Multiply<float> prepare(const Product& p) {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  static dnnl::stream stream(cpu);
  const memory::desc a = dense(p.batch, p.m, p.k, p.a_transposed), b = dense(p.batch, p.k, p.n, p.b_transposed),
                     c = dense(p.batch, p.m, p.n, false);
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::matmul product(dnnl::matmul::primitive_desc(cpu, a, b, c));
#else
  const dnnl::matmul product(dnnl::matmul::primitive_desc(dnnl::matmul::desc(a, b, c), cpu));
#endif
  memory at_a(a, cpu, nullptr), at_b(b, cpu, nullptr), at_c(c, cpu, nullptr);
  const std::unordered_map<int, memory> operands{{DNNL_ARG_SRC, at_a}, {DNNL_ARG_WEIGHTS, at_b}, {DNNL_ARG_DST, at_c}};
  return [=](const float* from_a, const float* from_b, float* to_c) mutable {
    at_a.set_data_handle(const_cast<float*>(from_a));
    at_b.set_data_handle(const_cast<float*>(from_b));
    at_c.set_data_handle(to_c);
    product.execute(stream, operands);
    stream.wait();
  };
}

}  // namespace

Peer onednn() {
  const dnnl_version_t& v = *dnnl_version();
  return {"onednn", prepare, nullptr, omp_set_num_threads, fmt::format("oneDNN {}.{}.{}", v.major, v.minor, v.patch)};
}

}  // namespace regard::bench

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace regard::bench {

// C = A·B for each of a batch, all dense and row-major. Where an operand is transposed, what lies in memory is its
// transpose: B of shape (n, k) for A·Bᵀ.
struct Product {
  std::int64_t batch, m, n, k;
  bool a_transposed = false, b_transposed = false;

  double flops() const { return 2.0 * static_cast<double>(batch * m * n * k); }
};

template <class T>
using Multiply = std::function<void(const T* a, const T* b, T* c)>;

// Somebody else who multiplies matrices. What can be prepared for a product, is; nullptr where they have no such
// product.
struct Peer {
  std::string name;
  Multiply<float> (*prepare_f32)(const Product&) = nullptr;
  Multiply<double> (*prepare_f64)(const Product&) = nullptr;
  void (*set_threads)(int) = nullptr;
  std::string version = {};  // "OpenBLAS 0.3.21", for the report; one for each library
};

// Those found when this was configured, and ONNX Runtime if it is there now (peers/ort.h).
const std::vector<Peer>& peers();
void set_peer_threads(int count);

Peer openblas();        // the batch in a loop, each product on all threads
Peer openblas_split();  // the batch split over the threads, each product on one
Peer eigen();
Peer onednn();
Peer ort();

}  // namespace regard::bench

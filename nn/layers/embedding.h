#pragma once

#include "nn/module.h"

namespace regard::nn {

struct EmbeddingOptions {
  std::int64_t count, size;  // how many things (V), and how many numbers stand for each (E)
  DType dtype = DType::f32;
};

// A table with one row of numbers for each token or class: indexes (…) → (…, E), weight (V, E).
// It is Linear without bias, applied to one-hot vectors, without making them. The weight starts normal, variance 1.
struct Embedding {
  Variable weight;

  Embedding(const EmbeddingOptions& options, Generator& generator);
  void visit(Visitor& v) { v("weight", weight); }
  Variable operator()(const Tensor& indexes) const;  // i64
};

}  // namespace regard::nn

#pragma once

#include "nn/layers/norm.h"

#include <optional>

namespace regard::nn {

enum class NormKind {
  layer,  // LayerNorm
  rms,    // RMSNorm
};

struct NormOptions {
  std::int64_t size;
  NormKind kind = NormKind::layer;
  double epsilon = 1e-5;
  bool bias = true;  // of LayerNorm; RMSNorm has none
  DType dtype = DType::f32;
};

// One of the two norms, chosen when the model is made. It lists what the chosen one lists.
struct Norm {
  std::optional<LayerNorm> layer;
  std::optional<RMSNorm> rms;

  explicit Norm(const NormOptions& o) {
    if (o.kind == NormKind::layer)
      layer = LayerNorm({.size = o.size, .epsilon = o.epsilon, .bias = o.bias, .dtype = o.dtype});
    else
      rms = RMSNorm({.size = o.size, .epsilon = o.epsilon, .dtype = o.dtype});
  }
  void visit(Visitor& v) { layer ? layer->visit(v) : rms->visit(v); }
  Variable operator()(const Variable& x) const { return layer ? (*layer)(x) : (*rms)(x); }
};

}  // namespace regard::nn

#pragma once

#include "nn/layers/norm.h"

namespace regard::nn {

enum class NormKind {
  layer,  // LayerNorm
  rms,    // RMSNorm
};

struct LayerOptions;

// One of the two norms, chosen when the model is made. It lists what the chosen one lists.
struct Norm {
  std::optional<LayerNorm> layer;
  std::optional<RMSNorm> rms;

  explicit Norm(const LayerOptions& options);
  void visit(Visitor& v) { layer ? layer->visit(v) : rms->visit(v); }
  Variable operator()(const Variable& x) const { return layer ? (*layer)(x) : (*rms)(x); }
};

}  // namespace regard::nn

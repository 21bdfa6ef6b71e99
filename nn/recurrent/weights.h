#pragma once

#include "nn/module.h"

namespace regard::nn {

struct CellOptions {
  std::int64_t in, hidden;  // E, H
  bool bias = true;
  DType dtype = DType::f32;
};

// What a recurrent cell learns, under PyTorch's names, and in its order of gates: G blocks of H rows.
// All start uniform in ±1/√H.
struct CellWeights {
  Variable weight_ih, weight_hh;  // (G·H, E), (G·H, H)
  Variable bias_ih, bias_hh;      // (G·H); undefined where the options say so

  CellWeights(const char* cell, std::int64_t gates, const CellOptions& options, Generator& generator);

  // `suffix` tells cells apart that are listed side by side: weight_ih_l0, weight_ih_l0_reverse, …
  void visit(Visitor& v, const std::string& suffix = "") {
    v("weight_ih" + suffix, weight_ih);
    v("weight_hh" + suffix, weight_hh);
    v("bias_ih" + suffix, bias_ih);
    v("bias_hh" + suffix, bias_hh);
  }

  std::int64_t hidden() const { return weight_hh.size(1); }
  Variable projected(const Variable& x) const;  // W_ih·x + b_ih: (…, E) → (…, G·H)
  Variable hidden_bias() const;                 // b_hh, or zeros
};

}  // namespace regard::nn

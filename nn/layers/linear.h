#pragma once

#include "nn/module.h"

namespace regard::nn {

struct LinearOptions {
  std::int64_t in, out;
  bool bias = true;
  DType dtype = DType::f32;
};

// y = x·Wᵀ + b          x (…, in) → (…, out), weight W (out, in), bias b (out)
//
// Each row of W is one output's view of the input, as in PyTorch, so weights can be exchanged. Both parameters start
// uniform in ±1/√in: the outputs of inputs of variance 1 then have a variance of about ⅓.
struct Linear {
  Variable weight, bias;  // bias is undefined where the options say so

  Linear(const LinearOptions& options, Generator& generator);
  void visit(Visitor& v) {
    v("weight", weight);
    v("bias", bias);
  }
  Variable operator()(const Variable& x) const;
};

}  // namespace regard::nn

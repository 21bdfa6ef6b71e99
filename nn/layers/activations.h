#pragma once

#include "autograd/ops/pointwise.h"
#include "nn/module.h"

namespace regard::nn {

// Functions as modules, so that they can stand in a Sequential. They have nothing to list.

struct ReLU {
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const { return relu(x); }
};

struct LeakyReLU {
  double slope = 0.01;
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const { return leaky_relu(x, slope); }
};

struct GELU {
  Gelu form = Gelu::erf;
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const { return gelu(x, form); }
};

struct SiLU {
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const { return silu(x); }
};

struct Tanh {
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const { return tanh(x); }
};

struct Sigmoid {
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const { return sigmoid(x); }
};

struct Softplus {
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const { return softplus(x); }
};

}  // namespace regard::nn

#pragma once

#include "autograd/ops/pointwise.h"
#include "nn/module.h"

namespace regard::nn {

// Functions as modules, so that they can stand in a Sequential. They have nothing to list.

inline const Variable& argument_of(const char* module, const Variable& x) {  // throws unless it is defined
  require_defined(module, x);
  return x;
}

struct ReLU {
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const { return relu(argument_of("ReLU", x)); }
};

struct GELU {
  GeluForm form = GeluForm::erf;
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const { return gelu(argument_of("GELU", x), form); }
};

struct SiLU {
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const { return silu(argument_of("SiLU", x)); }
};

struct Tanh {
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const { return tanh(argument_of("Tanh", x)); }
};

struct Sigmoid {
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const { return sigmoid(argument_of("Sigmoid", x)); }
};

}  // namespace regard::nn

#pragma once

#include "autograd/ops/pointwise.h"
#include "nn/module.h"

namespace regard::nn {

// Functions as modules, so that they can stand in a Sequential. They have nothing to list.

struct ReLU {
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const {
    require_defined("ReLU", x);
    return relu(x);
  }
};

struct LeakyReLU {
  double slope = 0.01;
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const {
    require_defined("LeakyReLU", x);
    return leaky_relu(x, slope);
  }
};

struct GELU {
  GeluForm form = GeluForm::erf;
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const {
    require_defined("GELU", x);
    return gelu(x, form);
  }
};

struct SiLU {
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const {
    require_defined("SiLU", x);
    return silu(x);
  }
};

struct Tanh {
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const {
    require_defined("Tanh", x);
    return tanh(x);
  }
};

struct Sigmoid {
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const {
    require_defined("Sigmoid", x);
    return sigmoid(x);
  }
};

struct Softplus {
  void visit(Visitor&) {}
  Variable operator()(const Variable& x) const {
    require_defined("Softplus", x);
    return softplus(x);
  }
};

}  // namespace regard::nn

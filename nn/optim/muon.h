#pragma once

#include "nn/optim/optimizer.h"

namespace regard::optim {

struct MuonOptions {
  double learning_rate = 1e-3;  // η
  double momentum = 0.95;       // μ
  double weight_decay = 0.1;    // λ, decoupled as in AdamW
};

// Muon (Jordan, 2024), for the matrices inside a model:
//   v ← μ·v + (1 − μ)·g          w ← (1 − η·λ)·w − η·√max(1, m/n)·U,   U = orthogonalized((1 − μ)·g + μ·v)
// for w (m, n). A gradient of a matrix is mostly a few directions, and what else it says is lost in them. U has the
// same singular vectors, but singular values near 1: all directions are learned at once. Biases, norms, the table of
// tokens and the output matrix stay with AdamW: "A model" in nn/README.md shows both.
class Muon : public Optimizer {
 public:
  explicit Muon(const ParameterGroups& groups, const MuonOptions& options = {});

 private:
  void update(std::size_t i, Tensor& w, const Tensor& g, const Pace& pace) override;
  void visit_state(nn::Visitor& v) override { v("velocity", velocity_); }

  MuonOptions options_;
  std::vector<Tensor> velocity_;
};

// The orthogonal matrix nearest to x, but for singular values that end between 0.68 and 1.13: five steps of Newton and
// Schulz on X = x/‖x‖, each of which takes a singular value s to p(s), p(s) = 3.4445·s − 4.7750·s³ + 2.0315·s⁵:
//   X ← 3.4445·X + (−4.7750·A + 2.0315·A²)·X,   A = X·Xᵀ
// The coefficients are Jordan's. p is steep at 0, so that small values grow fast, and not 1 at 1. (PyTorch computes it
// in bf16; here it is computed in the numbers of x.)
Tensor orthogonalized(const Tensor& x);

}  // namespace regard::optim

#include "nn/optim/muon.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>

namespace regard::optim {

Tensor orthogonalized(const Tensor& x) {
  if (x.size(0) > x.size(1)) return transpose(orthogonalized(transpose(x)));  // A is the smaller one
  Tensor step = x * (1 / std::max(std::sqrt(sum(square(x)).item()), 1e-7));
  for (int i = 0; i < 5; ++i) {
    const Tensor a = matmul(step, transpose(step));
    step = 3.4445 * step + matmul(-4.7750 * a + 2.0315 * matmul(a, a), step);
  }
  return step;
}

Muon::Muon(const ParameterGroups& groups, const MuonOptions& options)
    : Optimizer("Muon", groups, options.learning_rate, options.weight_decay), options_(options) {
  require_in("momentum", options.momentum, 0, 1);
  for (const ParameterGroup& group : groups.groups)
    for (const auto& [name, one] : group.parameters.list)
      if (one.rank() != 2)
        fail<ShapeError>("Muon: parameter '{}' {} is no matrix: give it to another optimizer, such as AdamW", name,
                         one.shape());
  velocity_ = zeros_like_parameters();
}

void Muon::update(std::size_t i, Tensor& w, const Tensor& g, const Pace& pace) {
  const double mu = options_.momentum;
  velocity_[i] = mu * velocity_[i] + (1 - mu) * g;
  const double rows = static_cast<double>(w.size(0)) / static_cast<double>(w.size(1));  // m/n
  const double rate = pace.learning_rate * std::sqrt(std::max(1.0, rows));
  w = (1 - pace.learning_rate * pace.weight_decay) * w - rate * orthogonalized((1 - mu) * g + mu * velocity_[i]);
}

}  // namespace regard::optim

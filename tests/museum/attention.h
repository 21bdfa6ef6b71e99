#pragma once

#include "nn/kit/kit.h"
#include "tests/museum/exhibit.h"

namespace regard::museum {

// Attention in a few lines, as exhibits write it: keep (…, Lq, Lk) is 1 where a query may see a key.
using Attend =
    std::function<nn::AttentionOutput(const Variable& q, const Variable& k, const Variable& v, const Tensor& keep)>;

// Everything right but the weights: weigh(scores, keep), and what comes with NaN behind a mask is kept away.
using Weigh = std::function<Variable(const Variable& scores, const Tensor& keep)>;
Attend weighing(const Weigh& weigh);

// The four matrices (width, width) around attention with one head, or with several.
struct Projections {
  Variable q, k, v, o;

  explicit Projections(std::int64_t width);
  std::vector<Variable> all() const { return {q, k, v, o}; }
};

// Caught where it breaks this law of the kit; what the kit found is shown.
//   by_kit(nn::kit::Law::masked_row, attend)
Finding by_kit(nn::kit::Law law, const Attend& attend);

}  // namespace regard::museum

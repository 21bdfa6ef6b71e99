#include "autograd/fused/rotate_pairs.h"

#include "autograd/record.h"
#include "tensor/ops/arithmetic.h"

namespace regard {

// book: rotate_pairs
// A turn by θ is linear, and its transpose is the turn by −θ. So the gradient is turned back.
Variable rotate_pairs(const Variable& x, const Tensor& cosine, const Tensor& sine, PairLayout layout) {
  require_defined("rotate_pairs", x);
  return record(
      op("rotate_pairs"), {x}, rotate_pairs(x.value(), cosine, sine, layout),
      [=](const Variable& grad, const Saved&) { return gradients(rotate_pairs(grad, cosine, -sine, layout)); });
}
// book: /rotate_pairs

}  // namespace regard

#include "examples/trainers/descend.h"

#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"

namespace regard {

Share cross_entropy_share(const Variable& logits, const Tensor& classes, nn::CrossEntropyLossOptions options) {
  options.reduction = nn::Reduction::sum;
  const Tensor counts = not_equal(classes, full({}, static_cast<double>(options.ignore), DType::i64));
  return {nn::cross_entropy_loss(logits, classes, options), sum(to(counts, DType::f64)).item()};
}

}  // namespace regard

#include "autograd/fused/cross_entropy.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/view.h"
#include "autograd/twin.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"

namespace regard {

Variable cross_entropy_composed(const Variable& logits, const Tensor& classes, const CrossEntropyOptions& options) {
  const std::int64_t count = logits.shape().back();
  const Tensor counted = not_equal(classes, static_cast<double>(options.ignore));
  const Tensor target = one_hot(multiply(classes, counted), count, logits.dtype());
  const double smoothing = options.label_smoothing;
  const Tensor alike = add(multiply(target, 1 - smoothing), smoothing / static_cast<double>(count));
  const Tensor t = options.weight.defined() ? multiply(alike, to(options.weight, logits.dtype())) : alike;
  const Variable rows = where(unsqueeze(counted, 1), logits, 0);  // NaN in a row that does not count goes nowhere
  return where(counted, -sum(t * log_softmax(rows, -1), -1), 0);
}

// loss = |t|·log Σ eˣ − Σⱼ tⱼ·xⱼ, |t| = Σⱼ tⱼ:  the first has the slope |t|·softmax(x), the second t, so
// ∂x = g·(|t|·softmax(x) − t). Without class weights |t| is 1.
Variable cross_entropy(const Variable& logits, const Tensor& classes, const CrossEntropyOptions& options) {
  const CrossEntropyResult made = cross_entropy(logits.value(), classes, options);
  return record(
      op("cross_entropy"), {logits}, made.loss,
      with_twin([=](const graph::Inputs& in) { return cross_entropy_composed(in[0], classes, options); },
                [=](const Variable& grad, const Saved& saved) {
                  return gradients(cross_entropy_gradient(grad.value(), saved.input().value(), classes, made, options));
                }));
}

}  // namespace regard

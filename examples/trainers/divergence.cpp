#include "examples/trainers/divergence.h"

#include "tensor/error.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

namespace regard {
namespace {

// Σ p·x over the V tokens, as a mean over the places.
double expected(const Tensor& log_p, const Tensor& x) { return mean(sum(exp(log_p) * x, -1)).item(); }

}  // namespace

double entropy(const Tensor& log_p) { return -expected(log_p, log_p); }

double divergence(const Tensor& log_p, const Tensor& log_q) {
  if (log_p.shape() != log_q.shape())
    fail<ShapeError>("divergence: log p {} and log q {}: they must have one shape, (…, V)", log_p.shape(),
                     log_q.shape());
  return expected(log_p, log_p - log_q);
}

}  // namespace regard

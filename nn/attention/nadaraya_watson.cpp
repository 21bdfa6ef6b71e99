#include "nn/attention/nadaraya_watson.h"

#include "autograd/attention/regression.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "nn/attention/scores/gaussian.h"
#include "tensor/create.h"
#include "tensor/view.h"

namespace regard::nn {
namespace {

template <class T>  // of Tensors and Variables alike
T as_rows(const T& x) {
  return x.rank() == 1 ? unsqueeze(x, 1) : x;
}

}  // namespace

NadarayaWatson::NadarayaWatson(AnyScore kernel, const Tensor& x, const Tensor& y)
    : attention(std::move(kernel)), keys(as_rows(x)), values(as_rows(y)) {
  if (keys.size(0) != values.size(0))
    fail<ShapeError>("NadarayaWatson: x {}, y {}: there must be a y for each x", x.shape(), y.shape());
}

void NadarayaWatson::visit(Visitor& v) {
  attention.visit(v);
  v("keys", keys);
  v("values", values);
}

AttentionOutput NadarayaWatson::operator()(const Variable& x) { return attention(as_rows(x), keys, values); }

AttentionOutput NadarayaWatson::fitted(RegressionTraining training) {
  return attention(keys, keys, values, training == RegressionTraining::leave_one_out ? Mask::others() : Mask());
}

Variable NadarayaWatson::loss(RegressionTraining training) {
  return mean(square(fitted(training).output - Variable(values)));
}

Variable NadarayaWatson::loss_in_one_pass(RegressionTraining training) {
  if (keys.size(1) != 1 || values.size(1) != 1)
    fail<ShapeError>("loss_in_one_pass: x {}, y {}: they must be (n) or (n, 1)", keys.shape(), values.shape());
  if (attention.dropout.training && attention.dropout.p > 0)
    fail<ValueError>("loss_in_one_pass: it has no dropout; loss() has");
  const auto& kernel = attention.score.as<GaussianKernel>();
  const Variable w = kernel.w.defined() ? kernel.w * kernel.fixed_w : full({}, kernel.fixed_w, keys.dtype());
  return regression_loss(squeeze(keys, 1), squeeze(values, 1), w, training == RegressionTraining::leave_one_out);
}

}  // namespace regard::nn

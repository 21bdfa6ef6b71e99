#include "nn/attention/nadaraya_watson.h"

#include "autograd/twin.h"
#include "tensor/attention/regression/regression.h"
#include "tensor/view.h"

namespace regard::nn {
namespace {

constexpr OpInfo regression_info{"regression_loss", "Σ (softmax(−((x − xᵀ)·w)²/2)·y − y)²/n",
                                 "∂w, computed with the loss"};

}  // namespace

Variable regression_loss(const GaussianKernel& kernel, const Tensor& keys, const Tensor& values, bool leave_one_out) {
  const Variable w = expand(kernel.w * kernel.fixed_w, {keys.size(0)});
  const Regression made = regression_step(squeeze(keys, 1), squeeze(values, 1), w.value(), leave_one_out);
  return record(regression_info, {w}, made.loss,
                [=, gradient = made.gradient](const Variable& grad, const Saved& saved) {
                  if (is_recording()) {
                    const auto composed = [=](const auto& in) {
                      return NadarayaWatson(GaussianKernel{1, in[0]}, keys, values)
                          .loss(leave_one_out ? Training::leave_one_out : Training::leaking);
                    };
                    return twin_gradients(composed, grad, saved);
                  }
                  return gradients(grad * Variable(gradient));
                });
}

}  // namespace regard::nn

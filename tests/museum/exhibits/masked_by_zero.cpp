#include "autograd/all.h"
#include "nn/attention/scores/scaled_dot_product.h"
#include "tests/given.h"
#include "tests/museum/attention.h"
#include "tests/museum/tools.h"

namespace regard::museum::masked_by_zero {

// museum: wrong
nn::AttentionOutput attend_wrong(const Variable& q, const Variable& k, const Variable& v, const Tensor& keep) {
  const Tensor seen = max(keep, -2, keepdim);  // by some query
  const Variable weights = masked_softmax(nn::ScaledDotProduct{}(q, pairs::without_unseen_keys(k, seen)), 1, keep);
  return {matmul(weights, v), weights};  // 0 · NaN is NaN
}
// museum: /wrong

// museum: right
nn::AttentionOutput attend(const Variable& q, const Variable& k, const Variable& v, const Tensor& keep) {
  const Tensor seen = max(keep, -2, keepdim);  // by some query
  const Variable weights = masked_softmax(nn::ScaledDotProduct{}(q, pairs::without_unseen_keys(k, seen)), 1, keep);
  return {pairs::mix(weights, pairs::without_unseen_keys(v, seen), keep), weights};
}
// museum: /right

const Hung on_the_wall({
    .name = "masked_by_zero",
    .title = "What is hidden is multiplied by 0",
    .looks = "The weights of padding are 0, and so its values do not count, as long as they are numbers. One NaN or "
             "infinity in a value of padding, from memory that was never written or from a division by a length of 0, "
             "makes that feature NaN at all positions of its sequence. The next layer spreads it to all features.",
    .common = "It is the formula, weights times values, written down. pytorch/pytorch#101967 reports it for "
              "scaled_dot_product_attention: a very large number in a hidden place changes nothing, and NaN in the "
              "same place changes everything.",
    .lesson = "0 times NaN is NaN. What is hidden must be replaced by a number, or left out of the sum. The kit puts "
              "NaN into hidden keys and values, and compares outputs and gradients with those for 0.",
    .look = [](bool wrong) { return by_kit(nn::kit::Law::nan_poison, wrong ? attend_wrong : attend); },
});

}  // namespace regard::museum::masked_by_zero

#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::softmax_overflow {

// museum: wrong
Tensor weights_wrong(const Tensor& scores) {
  const Tensor powers = exp(scores);
  return powers / sum(powers, -1, keepdim);
}
// museum: /wrong

// museum: right
Tensor weights(const Tensor& scores) {
  const Tensor powers = exp(scores - max(scores, -1, keepdim));
  return powers / sum(powers, -1, keepdim);
}
// museum: /right

const Hung on_the_wall({
    .name = "softmax_overflow",
    .title = "Softmax without subtracting the largest",
    .looks = "All is well as long as scores are small. Then one of them passes 88 in f32 (or 709 in f64), e to that "
             "power is infinity, infinity divided by infinity is NaN, and from then on everything is NaN.",
    .common =
        "The formula, written down. Reported for uTensor/uTensor#175, deeplearning4j/deeplearning4j-examples#730, "
        "blue-oil/blueoil (pull request #945), kyegomez/AttentionIsOFFByOne#2 and many more.",
    .lesson =
        "A number that is added to all scores multiplies all powers by the same factor, which the division takes away "
        "again. So the largest score may be subtracted, and no power is above 1. The law is tried with 1000.",
    .look =
        [](bool wrong) {
          const Tensor scores = noise({2, 4});
          const auto softmax_of = wrong ? weights_wrong : weights;
          return by_law("the same number added to all scores changes nothing", softmax_of(scores + 1000),
                        softmax_of(scores));
        },
});

}  // namespace regard::museum::softmax_overflow

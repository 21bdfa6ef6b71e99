#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/attention.h"
#include "tests/museum/tools.h"

namespace regard::museum::minus_1e9 {

// museum: wrong
Variable weights_wrong(const Variable& scores, const Tensor& keep) { return softmax(where(keep, scores, -1e9), -1); }
// museum: /wrong

// museum: right
Variable weights(const Variable& scores, const Tensor& keep) { return masked_softmax(scores, 1, keep); }
// museum: /right

const Hung on_the_wall({
    .name = "minus_1e9",
    .title = "Hidden scores are −10⁹",
    .looks = "As long as each query sees some key, the weights of hidden keys are 0, and all is well. A query that "
             "sees none, such as one of an empty sequence, looks at all hidden keys alike.",
    .common = "Most tutorials write it. With minus infinity in place of −10⁹ such a row is NaN instead, reported for "
              "PyTorch since 2020 (pytorch/pytorch#41508, #103749). A number nearer to 0 fails earlier: in "
              "TransformerLensOrg/TransformerLens#318 hidden scores were −10⁵, some scores of a trained model were "
              "below that, and hidden keys were seen. In f16 there is no −10⁹, the lowest number is −65504: PyTorch "
              "says \"value cannot be converted to type at::Half without overflow\" (NVIDIA/apex#1052).",
    .lesson =
        "Softmax sees differences only. If all scores are −10⁹ they are equal, and each weight is 1/n. Whoever sees "
        "nothing is to get weights of 0, an output of 0, and give no gradient: the law of the kit for such rows.",
    .look = [](bool wrong) { return by_kit(nn::kit::Law::masked_row, weighing(wrong ? weights_wrong : weights)); },
});

}  // namespace regard::museum::minus_1e9

#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::rms_of_sum {

// museum: wrong
Variable normed_wrong(const Variable& x) { return x * rsqrt(sum(square(x), -1, keepdim) + 1e-6); }
// museum: /wrong

// museum: right
Variable normed(const Variable& x) { return x * rsqrt(mean(square(x), -1, keepdim) + 1e-6); }
// museum: /right

const Hung on_the_wall({
    .name = "rms_of_sum",
    .title = "RMS norm that divides by the length",
    .looks = "Each row gets length 1, and so numbers get smaller the more features there are: 1/16 for 256 of them. "
             "Scores are small, all weights are alike, and learning is slow.",
    .common =
        "It comes from the function of that kind which most libraries have: normalize divides by the length, which is "
        "the root of the sum of squares. RMS norm divides by the root of their mean. Both are called norms. Other "
        "slips in the same line: a division by the inverse root (mosaicml/llm-foundry#371), a factor √D the wrong way "
        "round (kyegomez/zeta#180), the variance in place of the mean square (huggingface/pytorch-image-models#2380).",
    .lesson = "What a layer hands on should have numbers of size 1, whatever its width. A learned factor for each "
              "feature can make up for the missing √D, but it starts at 1.",
    .look =
        [](bool wrong) {
          const Variable y = (wrong ? normed_wrong : normed)(noise({3, 8}));
          return by_law("the mean square of a normed row is 1", mean(square(y), -1).value(), ones({3}, DType::f64),
                        1e-3);
        },
});

}  // namespace regard::museum::rms_of_sum

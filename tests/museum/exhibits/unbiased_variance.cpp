#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::unbiased_variance {

// museum: wrong
Variable normed_wrong(const Variable& x) {
  const Variable centred = x - mean(x, -1, keepdim);
  return centred / sqrt(var(x, -1, keepdim, 1) + 1e-5);  // Σ (x − μ)²/(D − 1)
}
// museum: /wrong

// museum: right
Variable normed(const Variable& x) {
  const Variable centred = x - mean(x, -1, keepdim);
  return centred / sqrt(var(x, -1, keepdim, 0) + 1e-5);  // Σ (x − μ)²/D
}
// museum: /right

const Hung on_the_wall({
    .name = "unbiased_variance",
    .title = "Layer norm with the unbiased variance",
    .looks = "Normed numbers are too small by the root of (D − 1)/D: 13 % for 4 features, 0.1 % for 512. A model that "
             "is trained so works. Weights that were trained with the other variance give slightly different answers.",
    .common = "PyTorch's std and var divide by D − 1 unless told otherwise, and its LayerNorm divides by D. "
              "harvardnlp/annotated-transformer (#122, pull request #119) has it in a text that many have copied; "
              "allenai/allennlp mended it in pull request #953.",
    .lesson = "D − 1 is for guessing the variance of a whole population from a sample. A norm guesses nothing: it "
              "makes the mean square of these D numbers 1.",
    .look =
        [](bool wrong) {
          const Variable y = (wrong ? normed_wrong : normed)(noise({3, 4}));
          return by_law("the mean square of a normed row is 1", mean(square(y), -1).value(), ones({3}, DType::f64),
                        1e-3);
        },
});

}  // namespace regard::museum::unbiased_variance

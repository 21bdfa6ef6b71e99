#include "autograd/all.h"
#include "nn/tools/explain/influence.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::norm_over_positions {

// museum: wrong
Variable normed_wrong(const Variable& x) {  // (B, L, E)
  const Variable centred = x - mean(x, {0, 1}, keepdim);
  return centred * rsqrt(mean(square(centred), {0, 1}, keepdim) + 1e-5);
}
// museum: /wrong

// museum: right
Variable normed(const Variable& x) {
  const Variable centred = x - mean(x, -1, keepdim);
  return centred * rsqrt(mean(square(centred), -1, keepdim) + 1e-5);
}
// museum: /right

const Hung on_the_wall({
    .name = "norm_over_positions",
    .title = "The future leaks through a batch norm",
    .looks =
        "The attention is masked as it should be, and still the model knows a little of what comes later: the mean "
        "and the variance are taken over all positions, the later ones among them. The loss is a bit too good. In "
        "writing, where later positions do not exist, the statistics are others.",
    .common = "Transformers have layer norm, which does not leak. It happens where a layer from vision is put "
              "into a model of sequences. A maximum, a sum or a softmax over the positions leaks in the same "
              "way.",
    .lesson = "Look for leaks in the whole model, not in its attention: everything that works along the axis of "
              "positions can be one. `assert_causal` needs nothing but the output and the input. Layer norm takes its "
              "statistics from the features of one position.",
    .look =
        [](bool wrong) {
          return by_error("assert_causal", [wrong] {
            const Variable x = parameter(noise({2, 3, 4}));
            assert_causal(wrong ? normed_wrong(x) : normed(x), x);
          });
        },
});

}  // namespace regard::museum::norm_over_positions

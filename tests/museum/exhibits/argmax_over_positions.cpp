#include "tensor/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::argmax_over_positions {

// museum: wrong
Tensor tokens_wrong(const Tensor& logits) {  // (B, L, V)
  return argmax(logits, 1);
}
// museum: /wrong

// museum: right
Tensor tokens_of(const Tensor& logits) {  // (B, L, V)
  return argmax(logits, 2);
}
// museum: /right

const Hung on_the_wall({
    .name = "argmax_over_positions",
    .title = "The most likely token is sought along the wrong axis",
    .looks = "The loss falls, and what is written makes no sense. Here there are as many positions as tokens "
             "in the vocabulary, so the result has the right shape, and there is no error.",
    .common = "Common where logits have been transposed for a loss that wants the tokens on axis 1, or where "
              "a step of decoding has dropped an axis: then the number of the axis is another one.",
    .lesson =
        "The logit of the token that was chosen must be the largest of its position. In tests let each axis have a "
        "size of its own: then a wrong axis is an error of shapes at once.",
    .look =
        [](bool wrong) {
          const Tensor logits = noise({2, 4, 4});
          const Tensor chosen = wrong ? tokens_wrong(logits) : tokens_of(logits);
          return by_law("no token of a position has a larger logit than the chosen one",
                        squeeze(gather(logits, 2, unsqueeze(chosen, 2)), 2), max(logits, 2));
        },
});

}  // namespace regard::museum::argmax_over_positions

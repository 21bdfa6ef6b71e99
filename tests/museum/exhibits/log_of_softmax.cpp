#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::log_of_softmax {

// museum: wrong
Variable surprise_wrong(const Variable& logits) { return -log(softmax(logits, -1)); }
// museum: /wrong

// museum: right
Variable surprise(const Variable& logits) { return -log_softmax(logits, -1); }
// museum: /right

const Hung on_the_wall({
    .name = "log_of_softmax",
    .title = "The logarithm of softmax in two steps",
    .looks = "An example that the model is sure about, and wrong, has probability 0, and its loss is infinity. Its "
             "gradient is NaN, and so are all weights after the next step.",
    .common = "Common where a model returns probabilities. deeplearning4j/nd4j#2822 reports that the library itself "
              "did it; skorch-dev/skorch#481 is a discussion of what an ε in the logarithm helps; "
              "summerlvsong/Aggregation-Cross-Entropy#2 met the NaN.",
    .lesson = "e to the power −2000 is 0 in f32 and f64, and what it was cannot be got back. In one step it is not "
              "needed: with m for the largest logit, log softmax is x − m − log Σ e^(x − m). Here that is −2000 and 0. "
              "(Without m, e^2000 is infinity: see [softmax without subtracting the largest](softmax_overflow.md).) An "
              "ε inside of the logarithm makes the loss finite, and the gradient 0, just where it should be largest.",
    .look =
        [](bool wrong) {
          const Variable logits(f64({0, 2000}));
          return by_law("two logits that differ by 2000 have losses that differ by 2000",
                        (wrong ? surprise_wrong : surprise)(logits).value(), f64({2000, 0}));
        },
});

}  // namespace regard::museum::log_of_softmax

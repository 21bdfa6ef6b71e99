#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/attention.h"
#include "tests/museum/tools.h"

namespace regard::museum::softmax_axis {

// museum: wrong
Variable weights_wrong(const Variable& scores, const Tensor& keep) {  // (…, queries, keys)
  return pairs::kept(softmax(scores, -2), keep);
}
// museum: /wrong

// museum: right
Variable weights(const Variable& scores, const Tensor& keep) {  // (…, queries, keys)
  return pairs::shares(softmax(scores, -1), keep);
}
// museum: /right

const Hung on_the_wall({
    .name = "softmax_axis",
    .title = "Softmax over the wrong axis",
    .looks = "The weights of each key sum to 1 over the queries, and those of a query sum to anything. The heat map "
             "looks like one of attention.",
    .common = "Reported again and again: PetrochukM/PyTorch-NLP#2, FudanNLP/fastNLP#254, "
              "labmlai/annotated_deep_learning_paper_implementations#146. In the last one a picture generator was "
              "trained both ways, and its quality was the same: the other layers make up for it.",
    .lesson = "A query takes a mean of values, so its weights sum to 1: the sum over the last axis of (…, queries, "
              "keys). Softmax keeps the shape whatever its axis is, so no shape tells, and neither does the loss.",
    .look = [](bool wrong) { return by_kit(nn::kit::Law::row_sums, weighing(wrong ? weights_wrong : weights)); },
});

}  // namespace regard::museum::softmax_axis

#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::dropout_on_scores {

// museum: wrong
Variable weights_wrong(const Variable& scores, const Tensor& dropped) {  // dropped: 1 where a pair is to go
  return softmax(scores * Variable(1 - dropped), -1);
}
// museum: /wrong

// museum: right
Variable weights(const Variable& scores, const Tensor& dropped) {  // dropped: 1 where a pair is to go
  return softmax(scores, -1) * Variable(1 - dropped);
}
// museum: /right

Finding look(bool wrong) {
  const Variable scores = noise({4, 6});
  Generator random(1);
  const Tensor dropped = bernoulli({4, 6}, random, 0.3, 1, DType::f64);
  const Tensor left = (wrong ? weights_wrong : weights)(scores, dropped).value() * dropped;
  return by_law("a pair that is dropped has weight 0", left, zeros({4, 6}, DType::f64));
}

const Hung on_the_wall({
    .name = "dropout_on_scores",
    .title = "Dropout of scores in place of weights",
    .looks = "Dropout stands before softmax. A score that is dropped becomes 0, and a score of 0 is one like others: "
             "its pair keeps its weight, or even gains. Training is noisier, and nothing is dropped.",
    .common = "It comes from putting dropout in the wrong one of two lines that follow each other. We know of no "
              "report; where the loss alone is watched there is nothing to see.",
    .lesson = "0 is nothing to a sum, and not to softmax: e⁰ is 1. Dropout belongs to numbers that are added up, which "
              "here are the weights (times 1/(1 − p), left out of both versions).",
    .look = look,
});

}  // namespace regard::museum::dropout_on_scores

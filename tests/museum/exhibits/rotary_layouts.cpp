#include "autograd/all.h"
#include "nn/attention/positions/rotary.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::rotary_layouts {

// Weights (D, E) of queries and keys, trained by others with pairs of neighbours: features 0 and 1, 2 and 3, …

// museum: wrong
Variable turned_wrong(const Variable& x, const Tensor& weight) {
  return nn::rotate(linear(x, weight), 0, nn::RotaryLayout::halves);
}
// museum: /wrong

// museum: right
Variable turned(const Variable& x, const Tensor& weight) {
  const std::int64_t pairs = weight.size(0) / 2;
  const Tensor apart = transpose(reshape(weight, {pairs, 2, -1}), 0, 1);  // the first of each pair, then the second
  return nn::rotate(linear(x, reshape(apart, weight.shape())), 0, nn::RotaryLayout::halves);
}
// museum: /right

Variable as_trained(const Variable& x, const Tensor& weight) {
  return nn::rotate(linear(x, weight), 0, nn::RotaryLayout::interleaved);
}

using Turned = Variable (*)(const Variable&, const Tensor&);
Tensor scores(Turned turn) {
  const Variable x = noise({5, 6});
  return matmul(turn(x, noise({8, 6}, 2)), transpose(turn(x, noise({8, 6}, 3)))).value();
}

const Hung on_the_wall({
    .name = "rotary_layouts",
    .title = "Rotary layouts are mixed",
    .looks = "Weights from elsewhere load without a word, since all shapes fit. The first position is right, as "
             "nothing is turned there. The model writes well for a few words, and then nonsense.",
    .common = "Two layouts are in use, and many files say nowhere which is theirs: huggingface/transformers#25199, "
              "Dao-AILab/flash-attention#288, InternLM/lmdeploy#2639. jzhang38/TinyLlama#24 is the nonsense; "
              "huggingface/transformers (pull request #47403) mended one model.",
    .lesson = "A turn mixes the two features of a pair. Whoever pairs other features turns other numbers. The order of "
              "features does not matter to a dot product, so it is enough to reorder the rows of W_q and W_k once, "
              "when they are loaded. With several heads do it inside each head, and do the same to biases. (Here there "
              "is one head.)",
    .look =
        [](bool wrong) {
          return by_law("scores are those of the model that was trained", scores(wrong ? turned_wrong : turned),
                        scores(as_trained));
        },
});

}  // namespace regard::museum::rotary_layouts

#include "autograd/all.h"
#include "nn/losses.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::softmax_twice {

// museum: wrong
Variable loss_wrong(const Variable& logits, const Tensor& classes) {
  const Variable probabilities = softmax(logits, -1);
  return nn::cross_entropy_loss(probabilities, classes);  // which takes their softmax
}
// museum: /wrong

// museum: right
Variable loss_of(const Variable& logits, const Tensor& classes) { return nn::cross_entropy_loss(logits, classes); }
// museum: /right

// Three clouds of points around corners of a triangle.
std::vector<double> learn(bool wrong) {
  const Tensor classes = remainder(arange(30), tensor({3}, DType::i64));
  const Variable x = index_select(f64({{0, 2}, {-2, -1}, {2, -1}}), 0, classes) + 0.5 * noise({30, 2});
  Variable w = parameter(zeros({2, 3}, DType::f64));
  return train(80, 0.1, {w}, [&] { return (wrong ? loss_wrong : loss_of)(matmul(x, w), classes); });
}

const Hung on_the_wall({
    .name = "softmax_twice",
    .title = "Softmax twice",
    .looks = "The loss falls, and stops far above 0, though every example is told rightly. The answers are the right "
             "ones, so accuracy hides it. Learning is slow.",
    .common = "Very common, since the loss functions of most libraries take logits and tutorials end models with "
              "softmax: tflearn/tflearn (pull request #562), nfmcclure/tensorflow_cookbook#86, jaehong31/CGES#1, "
              "vahidk/EffectiveTensorflow#9.",
    .lesson = "Probabilities lie between 0 and 1. Taken for logits, they can prefer one of three classes by e to 1 at "
              "most: a probability of 0.58 and a loss of 0.55, which is the floor in the picture. A model that is sure "
              "and right must have a loss of 0.",
    .look =
        [](bool wrong) {
          const Variable sure(f64({{100, 0, 0}}));
          return by_law("a logit of 100 for the right class costs nothing",
                        (wrong ? loss_wrong : loss_of)(sure, tensor({0}, DType::i64)).value(), zeros({}, DType::f64));
        },
    .learn = learn,
});

}  // namespace regard::museum::softmax_twice

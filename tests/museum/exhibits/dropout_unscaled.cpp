#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::dropout_unscaled {

constexpr double p = 0.5;  // of being dropped

// museum: wrong
Variable dropped_wrong(const Variable& x, Generator& random) {
  return x * Variable(bernoulli(x.shape(), random, 1 - p, 1, x.dtype()));
}
// museum: /wrong

// museum: right
Variable dropped(const Variable& x, Generator& random) {
  return x * Variable(bernoulli(x.shape(), random, 1 - p, 1 / (1 - p), x.dtype()));
}
// museum: /right

Finding look(bool wrong) {
  const Tensor x = f64({1, -2, 3});
  Generator random(1);
  const Tensor many = (wrong ? dropped_wrong : dropped)(expand(x, {20000, 3}), random).value();
  return by_law("the mean over many masks is x, which evaluation gives", mean(many, 0), x, 0.1);
}

// A number is to be read from 32 features that all show it, of which half are dropped. Measured without dropping.
std::vector<double> learn(bool wrong) {
  Generator random(1);
  const Variable x = expand(noise({64, 1}), {64, 32}), goal = slice(x, 1, 0, 1);
  Variable w = parameter(zeros({32, 1}, DType::f64));
  return losses(60, [&] {
    const double without_dropping = mean(square(matmul(x, w) - goal)).item();
    descend(mean(square(matmul((wrong ? dropped_wrong : dropped)(x, random), w) - goal)), {w}, 0.005);
    return without_dropping;
  });
}

const Hung on_the_wall({
    .name = "dropout_unscaled",
    .title = "Dropout does not make up for what it drops",
    .looks = "In training half of the numbers are 0, and the next layer learns to expect half as much. In evaluation "
             "all of them arrive, which is twice as much. The loss of training is fine, and evaluation is bad.",
    .common = "There are two ways: multiply by 1 − p in evaluation, or divide by it in training. Whoever mixes them "
              "leaves out the factor, or has it twice. Wrong factors are reported in kaldi-asr/kaldi#2814, "
              "lmjohns3/theanets (pull request #123) and CSTR-Edinburgh/mlpractical (#32).",
    .lesson = "With 1/(1 − p) for those that are kept, the mean over all masks is the number itself. The picture shows "
              "the loss without dropping: with the mistake it falls, and rises again while training goes on.",
    .look = look,
    .learn = learn,
    .curve = "loss in evaluation",
});

}  // namespace regard::museum::dropout_unscaled

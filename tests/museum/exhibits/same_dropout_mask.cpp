#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::same_dropout_mask {

// museum: wrong
Variable drop_wrong(const Variable& x, Generator generator) {
  return x * Variable(bernoulli(x.shape(), generator, 0.5, 2, x.dtype()));
}
// museum: /wrong

// museum: right
Variable drop(const Variable& x, Generator& generator) {
  return x * Variable(bernoulli(x.shape(), generator, 0.5, 2, x.dtype()));
}
// museum: /right

const Hung on_the_wall({
    .name = "same_dropout_mask",
    .title = "Dropout drops the same numbers in each step",
    .looks = "Training runs, with dropout. But half of the network never learns, and evaluation, which uses "
             "all of it, is bad.",
    .common = "The generator is copied here, for want of a `&`; elsewhere it is made anew with the same seed in each "
              "step. In JAX it is a key that was not split: in jax-ml/jax#170 somebody makes the key inside of the "
              "layer, and the answer is: then the same units are dropped each time.",
    .lesson =
        "Dropout leaves the mean as it is: over many steps each number must come out as itself. If some are always "
        "0 and the others always doubled, the mask is always the same.",
    .look =
        [](bool wrong) {
          Generator generator(7);
          const Tensor x = ones({6}, DType::f64);
          Tensor total = zeros({6}, DType::f64);
          for (int step = 0; step < 400; ++step)
            total = total + (wrong ? drop_wrong(x, generator) : drop(x, generator)).value();
          return by_law("over many steps, the mean is the number itself", total / 400.0, x, 0.2);
        },
});

}  // namespace regard::museum::same_dropout_mask

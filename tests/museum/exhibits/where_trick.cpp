#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::where_trick {

// museum: wrong
Variable root_or_0_wrong(const Variable& x) { return where(greater(x, 0), sqrt(x), 0.0); }
// museum: /wrong

// museum: right
Variable root_or_0(const Variable& x) {
  const Tensor positive = greater(x, 0);
  return where(positive, sqrt(where(positive, x, 1.0)), 0.0);
}
// museum: /right

const Hung on_the_wall({
    .name = "where_trick",
    .title = "where does not keep NaN away",
    .looks = "The root of 0 is to be avoided, so where() picks 0 in its place. The values are right. The gradient is "
             "NaN all the same.",
    .common = "A classic: jax-ml/jax#1052 and #5798, tensorflow/tensorflow#38349, pytorch/pytorch#187297, "
              "tinygrad/tinygrad (pull request #15806), ml-explore/mlx (#3692). The cure is known as the double where.",
    .lesson = "where() computes both branches and picks one. On the way back it sends a gradient of 0 into the other, "
              "and the rule of the root multiplies it by infinity. So the root itself must never see 0: give it 1 "
              "there, and throw the result away. The ε that the tool proposes helps at 0, but not where x is negative.",
    .look =
        [](bool wrong) {
          return by_anomaly([wrong] {
            const Variable x = parameter(f64({0, 4}));
            sum((wrong ? root_or_0_wrong : root_or_0)(x)).backward();
          });
        },
});

}  // namespace regard::museum::where_trick

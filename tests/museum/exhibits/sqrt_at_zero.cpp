#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::sqrt_at_zero {

// museum: wrong
Variable distance_wrong(const Variable& a, const Variable& b) { return sqrt(sum(square(a - b), -1)); }
// museum: /wrong

// museum: right
Variable distance(const Variable& a, const Variable& b) { return sqrt(sum(square(a - b), -1) + 1e-12); }
// museum: /right

const Hung on_the_wall({
    .name = "sqrt_at_zero",
    .title = "The slope of a length at 0",
    .looks = "A distance, or the length of a vector, is 0 for one pair of points: the same word twice, a row of "
             "padding. The value is right, and the gradient is NaN. It turns up at an example that looks harmless.",
    .common = "Reported in every library: pytorch/pytorch#2421, HIPS/autograd#151, jax-ml/jax#4177 and #21723, "
              "tensorflow/tensorflow#4914, geoopt/geoopt#243.",
    .lesson = "The root has slope infinity at 0, and the square before it has slope 0: the rules multiply the two, and "
              "infinity times 0 is NaN. A small number under the root keeps it away from 0; better still, leave out "
              "the root where the square will do.",
    .look =
        [](bool wrong) {
          return by_anomaly([wrong] {
            const Variable a = parameter(f64({{1, 2}, {3, 4}})), b(f64({{1, 0}, {3, 4}}));
            sum((wrong ? distance_wrong : distance)(a, b)).backward();
          });
        },
});

}  // namespace regard::museum::sqrt_at_zero

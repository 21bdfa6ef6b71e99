#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::epsilon_outside {

// museum: wrong
Variable normed_wrong(const Variable& x, double epsilon) {
  const Variable centred = x - mean(x, -1, keepdim);
  return centred / (sqrt(var(x, -1, keepdim)) + epsilon);
}
// museum: /wrong

// museum: right
Variable normed(const Variable& x, double epsilon) {
  const Variable centred = x - mean(x, -1, keepdim);
  return centred / sqrt(var(x, -1, keepdim) + epsilon);
}
// museum: /right

const Hung on_the_wall({
    .name = "epsilon_outside",
    .title = "ε outside of the root",
    .looks =
        "For rows that vary by 1 there is no difference. A row that varies by a thousandth, such as one of padding, is "
        "blown up to size 1 where it should stay small. A row of equal numbers gives a gradient of NaN.",
    .common = "codertimo/BERT-pytorch#30, hyunwoongko/transformer#7 and hkproj/pytorch-transformer (pull request #31) "
              "ask about it; the first copied it from the Annotated Transformer.",
    .lesson = "The root of the variance has slope infinity at 0, and ε inside keeps it away from there. The two places "
              "also mean different sizes: 10⁻⁵ inside is like 0.003 outside. In a model with trained weights both "
              "place and value must be those of the training.",
    .look =
        [](bool wrong) {
          const Variable x(0.001 * noise({2, 4}));
          const Variable expected = layer_norm(x, ones({4}, DType::f64), zeros({4}, DType::f64), 1e-5);
          return by_law("it is layer_norm, also where a row hardly varies",
                        (wrong ? normed_wrong : normed)(x, 1e-5).value(), expected.value());
        },
});

}  // namespace regard::museum::epsilon_outside

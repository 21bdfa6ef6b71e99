#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::once_differentiable {

constexpr OpInfo info{"bent", "tanh x", "∂x = g·(1 − y²)"};

// museum: wrong
Variable bent_wrong(const Variable& x) {
  const Tensor y = tanh(x.value());
  return record(info, {x}, y,
                [slope = 1 - square(y)](const Variable& g, const Saved&) { return gradients(g * Variable(slope)); });
}
// museum: /wrong

// museum: right
Variable bent(const Variable& x) {
  const Tensor y = tanh(x.value());
  return record(info, {x}, y,
                [](const Variable& g, const Saved& saved) { return gradients(g * (1 - square(saved.output))); });
}
// museum: /right

// A function is to have slope 1 at some points: its loss is made of gradients.
std::vector<double> learn(bool wrong) {
  const Variable x = parameter(reshape(linspace(-1, 1, 8, DType::f64), {8, 1}));
  Variable in = parameter(noise({1, 8})), out = parameter(0.3 * noise({8, 1}, 2));
  return losses(150, [&] {
    const Variable y = matmul((wrong ? bent_wrong : bent)(matmul(x, in)), out);
    const Variable slope = grad({sum(y)}, {x}, {.create_graph = true})[0];
    return descend(mean(square(slope - 1)), {in, out}, 0.1);
  });
}

const Hung on_the_wall({
    .name = "once_differentiable",
    .title = "A rule that can be used once",
    .looks = "Gradients are right, and gradients of gradients are wrong without a word. Only losses that contain a "
             "gradient suffer: a penalty on slopes, a step that is learned through.",
    .common =
        "The rule keeps a tensor that was computed on the way forward, which looks thrifty. PyTorch has it in a list "
        "of dangers with custom functions (pytorch/pytorch#58509, #76185, #104040), and users who met it (#99523).",
    .lesson = "The slope 1 − y² depends on x. Kept as a tensor it is a constant, and its own derivative is lost. "
              "Written with the output, a Variable, it is recorded like anything else. The check of the second order "
              "compares gradients with measured slopes of gradients; the first order passes.",
    .look =
        [](bool wrong) {
          return by_gradcheck([wrong](const auto& in) { return (wrong ? bent_wrong : bent)(in[0]); },
                              {Variable(f64(0.7))});
        },
    .learn = learn,
    .logarithmic = true,
});

}  // namespace regard::museum::once_differentiable

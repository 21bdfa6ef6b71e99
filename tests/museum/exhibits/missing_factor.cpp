#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::missing_factor {

constexpr OpInfo info{"squared", "x²", "∂x = 2·g·x"};

// museum: wrong
Variable squared_wrong(const Variable& x) {
  return record(info, {x}, square(x.value()),
                [](const Variable& g, const Saved& saved) { return gradients(g * saved.input()); });
}
// museum: /wrong

// museum: right
Variable squared(const Variable& x) {
  return record(info, {x}, square(x.value()),
                [](const Variable& g, const Saved& saved) { return gradients(2 * g * saved.input()); });
}
// museum: /right

std::vector<double> learn(bool wrong) {
  const Variable x = noise({16, 4}), goal = matmul(x, Variable(f64({1, -2, 3, 0.5})));
  Variable w = parameter(zeros({4}, DType::f64));
  return train(60, 0.1, {w}, [&] { return mean((wrong ? squared_wrong : squared)(matmul(x, w) - goal)); });
}

const Hung on_the_wall({
    .name = "missing_factor",
    .title = "A missing factor of 2",
    .looks = "The rule of a square forgets the 2. As a loss the square then learns at half the rate, and with Adam, "
             "which divides by the size of the gradients, not even that: both curves of the picture are the same.",
    .common = "People come to it by copying a formula in which ½ stands before the square. It stays for long, since "
              "nothing shows while the square comes last. Elsewhere one of several terms of a gradient is too small, "
              "and then the direction is wrong.",
    .lesson = "No curve shows this mistake, and a measured slope does at once. bisect says which operation it is, and "
              "that its gradient is half of the right one.",
    .look =
        [](bool wrong) {
          return by_bisect([wrong](const auto& in) { return (wrong ? squared_wrong : squared)(tanh(in[0])); },
                           {noise({4})});
        },
    .learn = learn,
    .finding = "the loss does not show it",
});

}  // namespace regard::museum::missing_factor

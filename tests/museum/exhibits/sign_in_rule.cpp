#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::sign_in_rule {

constexpr OpInfo info{"quotient", "a/b", "∂a = g/b, ∂b = −g·y/b"};

// museum: wrong
Variable quotient_wrong(const Variable& a, const Variable& b) {
  return record(info, {a, b}, a.value() / b.value(), [](const Variable& g, const Saved& saved) {
    const Variable to_a = g / saved.inputs[1];
    return gradients(to_a, to_a * saved.output);
  });
}
// museum: /wrong

// museum: right
Variable quotient(const Variable& a, const Variable& b) {
  return record(info, {a, b}, a.value() / b.value(), [](const Variable& g, const Saved& saved) {
    const Variable to_a = g / saved.inputs[1];
    return gradients(to_a, -(to_a * saved.output));
  });
}
// museum: /right

// A temperature is to be found: x/t = x/2. A straight line helps as far as it can.
std::vector<double> learn(bool wrong) {
  const Variable x = noise({16}), goal = x / 2 + 1;
  Variable t = parameter(ones({}, DType::f64)), b = parameter(zeros({}, DType::f64));
  return losses(12, [&] {
    return descend(mean(square((wrong ? quotient_wrong : quotient)(x, expand(t, {16})) + b - goal)), {t, b}, 0.02);
  });
}

const Hung on_the_wall({
    .name = "sign_in_rule",
    .title = "A sign in a rule",
    .looks = "What is divided by learns uphill. At first the loss falls all the same, as other parameters learn "
             "downhill. Then it grows.",
    .common = "A slip of the pen; a short way to write a rule invites it. A wrong gradient of a quotient was mended in "
              "tqchen/tinyflow (pull request #20), one of subtraction in owlbarn/owl (#533).",
    .lesson = "bisect runs the whole function, moves the inputs of each operation by themselves, and compares what the "
              "operation does with what its rule says. It names the one that is wrong, and tries what would make it "
              "right: here another sign.",
    .look =
        [](bool wrong) {
          return by_bisect([wrong](const auto& in) { return (wrong ? quotient_wrong : quotient)(exp(in[0]), in[1]); },
                           {noise({3}), Variable(f64({3, -4, 5}))});
        },
    .learn = learn,
});

}  // namespace regard::museum::sign_in_rule

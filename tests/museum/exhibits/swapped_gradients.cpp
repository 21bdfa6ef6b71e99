#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::swapped_gradients {

constexpr OpInfo info{"gate", "a·b", "∂a = g·b, ∂b = g·a"};

// museum: wrong
Variable gate_wrong(const Variable& a, const Variable& b) {
  return record(info, {a, b}, a.value() * b.value(), [](const Variable& g, const Saved& saved) {
    return gradients(g * saved.inputs[0], g * saved.inputs[1]);
  });
}
// museum: /wrong

// museum: right
Variable gate(const Variable& a, const Variable& b) {
  return record(info, {a, b}, a.value() * b.value(), [](const Variable& g, const Saved& saved) {
    return gradients(g * saved.inputs[1], g * saved.inputs[0]);
  });
}
// museum: /right

std::vector<double> learn(bool wrong) {
  const Variable goal = abs(noise({16}));
  Variable open = parameter(zeros({16}, DType::f64)), x = parameter(ones({16}, DType::f64));
  return losses(40, [&] {
    const Variable y = (wrong ? gate_wrong : gate)(sigmoid(open), x);
    return descend(mean(square(y - goal)), {open, x}, 0.5);
  });
}

const Hung on_the_wall({
    .name = "swapped_gradients",
    .title = "The gradients of a and b are swapped",
    .looks = "Both gradients of a product are computed, and each goes to the wrong factor. Where a and b have the same "
             "sign the directions are right all the same, and the loss falls. Where they have not, it grows.",
    .common = "It comes from rules that return a list: nothing says which entry belongs to which input. For x·x it "
              "makes no difference, and a test with the same tensor twice does not see it.",
    .lesson = "In the picture all factors are positive, and the wrong curve is even the better one. bisect moves each "
              "input by itself, so it knows which slope belongs to whom. Give the inputs of a test different numbers, "
              "and different shapes where they may have them.",
    .look =
        [](bool wrong) {
          return by_bisect([wrong](const auto& in) { return (wrong ? gate_wrong : gate)(in[0], in[1]); },
                           {noise({4}, 1), noise({4}, 2)});
        },
    .learn = learn,
    .finding = "here the wrong gradients learn faster",
});

}  // namespace regard::museum::swapped_gradients

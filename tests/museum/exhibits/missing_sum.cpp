#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::missing_sum {

constexpr OpInfo info{"scale_rows", "x·s, s for each row", "∂x = g·s, ∂s = Σ g·x over the row"};

// museum: wrong
Variable scale_rows_wrong(const Variable& x, const Variable& s) {  // x (n, d), s (n, 1)
  return record(info, {x, s}, x.value() * s.value(), [](const Variable& g, const Saved& saved) {
    const Variable to_s = g * saved.inputs[0];                    // (n, d)
    return gradients(g * saved.inputs[1], slice(to_s, 1, 0, 1));  // made to fit, not added up
  });
}
// museum: /wrong

// museum: right
Variable scale_rows(const Variable& x, const Variable& s) {
  return record(info, {x, s}, x.value() * s.value(), [](const Variable& g, const Saved& saved) {
    return gradients(g * saved.inputs[1], sum(g * saved.inputs[0], 1, keepdim));
  });
}
// museum: /right

Variable scaled(bool wrong, const Variable& x, const Variable& s) {
  return wrong ? scale_rows_wrong(x, s) : scale_rows(x, s);
}

std::vector<double> learn(bool wrong) {
  const Tensor x = noise({6, 8}), goal = x * reshape(linspace(1, 3, 6, DType::f64), {6, 1});
  Variable s = parameter(ones({6, 1}, DType::f64));
  return losses(20, [&] {
    const Variable loss = mean(square(scaled(wrong, x, s) - Variable(goal)));
    const Variable slope = grad({loss}, {s})[0];
    assign(s, s.value() - 2.0 * slope.value());
    return loss.item();
  });
}

const Hung on_the_wall({
    .name = "missing_sum",
    .title = "The sum over broadcast axes is missing",
    .looks = "A number is used for a whole row, and its gradient is that of one place only. Nothing crashes, since the "
             "shape fits. The number still learns, but slowly.",
    .common = "Common in rules written by hand, and in young libraries: deeplearning4j/nd4j#2424, "
              "pytorch/pytorch#1787, tracel-ai/burn#181, tenstorrent/tt-metal#40008. Mostly shapes do not fit and "
              "there is an error; it is silent where the gradient is made to fit, as here. Whatever is repeated on the "
              "way forward must be added up on the way back.",
    .lesson = "A number that is used d times moves the loss along d ways, so d contributions add up. The measured "
              "slope moves the number itself, and sees all of them.",
    .look =
        [](bool wrong) {
          return by_bisect([wrong](const auto& in) { return scaled(wrong, in[0], in[1]); },
                           {noise({3, 4}, 1), noise({3, 1}, 2)});
        },
    .learn = learn,
});

}  // namespace regard::museum::missing_sum

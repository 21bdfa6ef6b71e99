#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::transposed_gradient {

constexpr OpInfo info{"product", "A·B", "∂A = g·Bᵀ, ∂B = Aᵀ·g"};

// museum: wrong
Variable product_wrong(const Variable& a, const Variable& b) {
  return record(info, {a, b}, matmul(a.value(), b.value()), [](const Variable& g, const Saved& saved) {
    return gradients(matmul(g, transpose(saved.inputs[1])), matmul(transpose(g), saved.inputs[0]));
  });
}
// museum: /wrong

// museum: right
Variable product(const Variable& a, const Variable& b) {
  return record(info, {a, b}, matmul(a.value(), b.value()), [](const Variable& g, const Saved& saved) {
    return gradients(matmul(g, transpose(saved.inputs[1])), matmul(transpose(saved.inputs[0]), g));
  });
}
// museum: /right

std::vector<double> learn(bool wrong) {
  const Variable x = noise({4, 4}), goal = matmul(x, noise({4, 4}, 2));
  Variable w = parameter(zeros({4, 4}, DType::f64));
  return losses(40, [&] { return descend(mean(square((wrong ? product_wrong : product)(x, w) - goal)), {w}, 0.3); });
}

const Hung on_the_wall({
    .name = "transposed_gradient",
    .title = "A transposed gradient",
    .looks = "The gradient of one factor of a matrix product arrives transposed. For square matrices the shape fits, "
             "and nothing complains. The weights move, and not downhill.",
    .common = "The rule of a product is written from memory, or by trying until shapes fit. In tile-ai/TileOPs (pull "
              "request #54) both transposes were missing; HomericIntelligence/Odyssey#2136 reports wrong ones.",
    .lesson = "Test a product with three different sizes, (2, 3)·(3, 4): then a transposed gradient does not fit, and "
              "backward refuses it. With square matrices only the numbers tell, and bisect says what they are.",
    .look =
        [](bool wrong) {
          return by_bisect([wrong](const auto& in) { return (wrong ? product_wrong : product)(in[0], in[1]); },
                           {noise({3, 3}, 1), noise({3, 3}, 2)});
        },
    .learn = learn,
    .logarithmic = true,
});

}  // namespace regard::museum::transposed_gradient

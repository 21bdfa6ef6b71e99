// 58. Make it causal · grade 2 · chapter 22_tools_that_explain
//
// A model is to predict the next word. It has a causal mask, so it must be causal; the loss is suspiciously small all
// the same. `assert_causal` looks at who influences whom, and throws. Position 0 hangs on position 1, and on 5 as well.
// There is more than one leak. Close them all, one by one, and change as little as you can: every position must still
// see itself and all before it.
//
// Hint: assert_causal names a pair and an operation; a map says more. In forward() you can look at any step:
// fmt::print("{:.1}\n", influence(near, x).sizes);  Begin with the first step whose map is not a triangle. A step works
// along the axis of features (−1), or along that of positions (1). The number in Mask::causal(1) is explained where the
// function is declared, in nn/attention/mask.h.
#include "autograd/all.h"
#include "examples/exercises/exercise.h"
#include "nn/attention/multi_head.h"
#include "nn/attention/scores/scaled_dot_product.h"
#include "nn/layers/conv.h"
#include "nn/tools/explain/influence.h"

#include <fmt/format.h>

#include <algorithm>

using namespace regard;

constexpr std::int64_t width = 8;

struct Model {
  nn::Conv1d convolution;  // looks at three positions
  nn::MultiHeadAttention attention;

  explicit Model(Generator& g, std::int64_t padding);
  Variable forward(const Variable& x);
};

// TODO: mend what leaks. x is (1, positions, features). The convolution wants (1, features, positions), and puts
// `padding` zeros at each end: so many positions more come out of it, or fewer.
const std::int64_t padding = 1;

Variable Model::forward(const Variable& x) {
  const Variable centered = x - mean(x, 1, keepdim);
  const Variable near = tanh(transpose(convolution(transpose(centered, 1, 2)), 1, 2));
  const Variable mixed = attention(near, near, near, nn::Mask::causal(1)).output;
  return near + mixed;
}

// ---- This is what checks it. ----

Model::Model(Generator& g, std::int64_t zeros_at_each_end)
    : convolution({.in = width, .out = width, .kernel = 3, .padding = zeros_at_each_end, .dtype = DType::f64}, g),
      attention(nn::ScaledDotProduct{}, {.model = width, .heads = 2, .dtype = DType::f64}, g) {}

int main() {
  return exercises::exercise([] {
    Generator random(58);
    Model model(random, padding);
    const Variable x = parameter(normal({1, 6, width}, random, 0, 1, DType::f64));
    const Variable y = model.forward(x);
    exercises::expect(y.shape() == x.shape(),
                      fmt::format("The input is {}, and the output {}. With more padding the convolution puts out more "
                                  "positions; which of them belong to the six?",
                                  x.shape(), y.shape()));
    std::string said;
    try {
      assert_causal(y, x);
    } catch (const ValueError& error) {
      said = error.what();
    }
    std::int64_t farthest = 0;  // how far ahead somebody looks
    const std::vector<Field> fields = receptive_field(y, x);
    for (std::size_t i = 0; i < fields.size(); ++i)
      farthest = std::max(farthest, fields[i].last - static_cast<std::int64_t>(i));
    const Tensor sizes = influence(y, x).sizes;
    exercises::expect(farthest < 5,
                      said + "\nThe first position sees the last one. What is computed from all positions at once?");
    exercises::expect(farthest == 0, said + fmt::format("\nSome position sees {} ahead. A step that looks one ahead, "
                                                        "and another one behind it, see two ahead.",
                                                        farthest));
    for (std::size_t i = 0; i < fields.size(); ++i) {
      exercises::expect(fields[i].last == static_cast<std::int64_t>(i),
                        fmt::format("It is causal. But position {} does not see itself any more. Were the positions "
                                    "moved too far, or is the mask too strict?",
                                    i));
      exercises::expect(fields[i].first == 0, fmt::format("It is causal. But position {} does not see the first one "
                                                          "any more: too much was taken away.",
                                                          i));
    }
    const Tensor first = slice(sizes, 0, 5, 6);
    exercises::expect(min(first).item() > 0, "It is causal. But the last position does not see all before it.");
    exercises::expect_gradient("the model", [&](const auto& in) { return model.forward(in[0]); }, {x},
                               "The outputs are causal, but something is cut off by .value().", {.order = 1});
  });
}
